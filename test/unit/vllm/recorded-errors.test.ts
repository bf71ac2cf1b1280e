/**
 * Every distinct error of the recorded servers: what became of it, and that none of its insides is left.
 * `recorded-errors.json` holds the recordings' words literally and, under `client`, what a client must read.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readErrorChunk, readErrorResponse } from "../../../src/vllm/errors.ts";
import recorded from "./recorded-errors.json" with { type: "json" };

interface Recorded {
  readonly case: string;
  readonly status?: number;
  readonly body?: string;
  readonly event?: unknown;
  readonly promptParam: string;
  readonly client: {
    readonly code: string;
    readonly status: number;
    readonly param?: string;
    readonly message: string;
  };
}

const cases = recorded as readonly Recorded[];

function readRecorded({ status, body, event, promptParam }: Recorded) {
  if (status === undefined) return readErrorChunk(event, promptParam);
  return readErrorResponse({ status, body: body ?? "" }, promptParam);
}

/** Words that belong to a vLLM server and to nobody else. */
const FORBIDDEN = [
  /pydantic|validation error|for further information|input_value|input_type|\[type=/i,
  /ValidatorIterator|DeltaMessage|ChatCompletion|ContentPart|\w+Error\b/,
  /'type':|'loc'|'msg'|\bbody\.\w|<list of|<dict of|ValueError/,
  /untagged|variant|\b[uif](?:8|16|32|64)\b|deserialize|target type|line \d+ column \d+|__all__/,
  /Number\(|String\(|Array \[|json_parse_error/,
  /engine|stack trace|traceback|frontend|environment variable|VLLM_|\.py\b|0x[0-9a-f]{4}/i,
  /max_model_len|input_tokens|input_text|prompt_token_ids/,
  /chatcmpl-|cmpl-|resp_nope|https?:|127\.0\.0\.1|:\d{4}\b|uvicorn/,
  /valid aliases|\btiny\b|\(parameter=|unauthorized/i,
];

function expectNothingOfTheInsides(error: { message: string; param: string | undefined }) {
  for (const word of FORBIDDEN) {
    expect(error.message).not.toMatch(word);
    expect(error.param ?? "").not.toMatch(word);
  }
}

describe("recorded errors", () => {
  test.each(cases)("$case", (row) => {
    const error = readRecorded(row);
    const { code, status, param, message } = error;
    expect({ code, status, param, message }).toEqual({ param: undefined, ...row.client });
    expectNothingOfTheInsides(error);
    expect(error.cause).toMatch(/^(?:HTTP|error event) \d{3}$/);
  });
});

const TRANSCRIPTS = join(import.meta.dirname, "../../conformance/transcripts");

interface Transcript {
  readonly status: number;
  readonly body: string;
}

function* transcripts(): Generator<Transcript> {
  for (const entry of readdirSync(TRANSCRIPTS, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".json")) continue;
    const path = join(entry.parentPath, entry.name);
    const recording: { response?: { status?: number } } = JSON.parse(readFileSync(path, "utf8"));
    const status = recording.response?.status;
    const body = path.replace(/\.json$/, ".body");
    if (status === undefined) continue;
    yield { status, body: existsSync(body) ? readFileSync(body, "utf8") : "" };
  }
}

test("no error in the transcripts shows a client the insides of its server", () => {
  expect(existsSync(TRANSCRIPTS), "test/conformance/transcripts is missing").toBe(true);
  let errors = 0;
  for (const { status, body } of transcripts()) {
    if (status >= 300) {
      errors += 1;
      expectNothingOfTheInsides(readErrorResponse({ status, body }));
      continue;
    }
    for (const line of body.split("\n")) {
      if (!line.startsWith("data: {")) continue;
      const { error }: { error?: unknown } = JSON.parse(line.slice("data: ".length));
      if (error === undefined) continue;
      errors += 1;
      expectNothingOfTheInsides(readErrorChunk(error));
    }
  }
  expect(errors).toBeGreaterThan(50);
});
