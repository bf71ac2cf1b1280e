import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startSim, type Sim } from "../../sim/server.ts";
import { recordingsOf, type Recording } from "./support/recordings.ts";
import { recordsOf, shapeOf } from "./support/shape.ts";
import { call } from "./support/wire.ts";

/*
 * Every recorded exchange of the routes that the simulation has is played again. Equal means: the same status and
 * headers, for each choice the same kinds of frames in the same order (keys in order, values where they mean
 * something, runs of a kind collapsed), the same text when joined, the same ending. Not compared: ids, times,
 * counts, log-probabilities, the wording of errors (their type, parameter and code are), the value of x-request-id
 * (the servers with a key send it on every route, the simulation where a model's switch says so).
 */

/** How the recorded servers were started, and the switches that say the same. */
const SERVERS = {
  python: { dialect: "python", model: "tiny?details=1" },
  rust: { dialect: "rust", model: "tiny-rust?details=1" },
  "python-bare": {
    dialect: "python",
    model: "tiny?parsers=none&usage=forced&keepalive_ms=20&request_id_headers=1",
    apiKey: "sk-origin",
  },
  "rust-bare": { dialect: "rust", model: "tiny-rust?parsers=none&request_id_headers=1", apiKey: "sk-origin" },
  "python-die": { dialect: "python", model: "tiny?parsers=tools" },
  "rust-die": { dialect: "rust", model: "tiny-rust?parsers=tools" },
} as const;

/** Where the model's own tokens decide what is said, or how much of it: only the kinds of frames count. */
const FREE = [
  /^(chat-n2-free|err-beam-stream|chat-(full-)?length.*|chat-max-.*|chat-reasoning-cut|chat-tool-cut|die-.*)$/,
  // Completions end after sixteen tokens, and the tokenizer says how much text that is.
  /^comp-(text|usage|continuous|n2|prompts|token-prompts?|length|default-length|err-best-of)$/,
  /^gen-(no-model|err-prompt-logprobs-stream|err-stream-options)$/,
];

/** The recorded Rust front end does not know generate's `extra_args`: the model said what it liked. */
const FREE_IN_RUST = /^gen-/;

/** `/v1/models` lists other models; a token's spelling is the tokenizer's business, and so is what an id stands for. */
const OTHER_DATA = /^(models|(de)?tokenize-?.*|render-chat)$/;

describe.each(Object.entries(SERVERS))("%s", (server, options) => {
  let sim: Sim;
  beforeAll(async () => {
    sim = await startSim({ pace: 0, ...options });
  });
  afterAll(() => sim.close());

  test.each(recordingsOf(server).map((recording) => [recording.name, recording] as const))(
    "%s",
    async (name, recording) => {
      const { request, response } = recording;
      const answer = await call(sim.port, {
        method: request.method,
        path: request.path,
        headers: request.headers ?? {},
        body: bodyFor(recording, options.model),
      });
      expect(answer.status).toBe(response.status);
      expect(headersOf(answer.headers)).toEqual(headersOf(response.headers));
      expect(answer.ended).toBe("complete");

      const text = answer.body.toString();
      const got = shapeOf(text);
      const wanted = shapeOf(recording.body);
      if (!OTHER_DATA.test(name)) expect(got.kinds).toEqual(wanted.kinds);
      else expect(keysOf(text)).toEqual(keysOf(recording.body));
      const free = FREE.some((names) => names.test(name)) || (server.startsWith("rust") && FREE_IN_RUST.test(name));
      if (!free) expect(got.texts).toEqual(wanted.texts);
      // Every event is one HTTP chunk, as recorded.
      if (recording.chunks.length > 0) {
        expect(answer.chunks.map(String)).toEqual(recordsOf(text).map((record) => `${record}\n\n`));
      }
    },
  );
});

/** The recorded body with the model that stands for the recorded server. */
function bodyFor({ request, body: answered }: Recording, model: string): unknown {
  const { body } = request;
  if (typeof body !== "object" || body === null) return body ?? undefined;
  const changed: Record<string, unknown> = { ...body };
  // A prompt that the server had seen before shows in the usage.
  const cached = /"cached_tokens":(\d+)/.exec(answered)?.[1];
  if (changed["model"] === "tiny") changed["model"] = cached === undefined ? model : `${model}&cached=${cached}`;
  // The recordings took their time to show the keep-alives.
  const xargs = changed["vllm_xargs"];
  if (typeof xargs === "object" && xargs !== null && "delay_ms" in xargs) {
    changed["vllm_xargs"] = { ...xargs, delay_ms: 30 };
  }
  return changed;
}

/** Names and values, without what differs from run to run. */
function headersOf(headers: readonly [string, string][]): string[] {
  return headers
    .filter(([name]) => name !== "connection" && name !== "x-request-id" && name !== "access-control-allow-methods")
    .map(([name, value]) => (name === "content-length" ? name : `${name}: ${value}`))
    .toSorted();
}

/** The keys of a JSON body; none where there is none. */
function keysOf(text: string): string[] {
  const body: object = JSON.parse(text === "" ? "{}" : text);
  return Object.keys(body);
}
