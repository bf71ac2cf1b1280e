/** Whatever a body holds, it is translated, or refused in a sentence that names the parameter. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isObject } from "../../../../../src/core/json/object.ts";
import { refusalOf } from "./translate.ts";

const text = { type: "text", text: "t", citations: null, cache_control: { type: "ephemeral", ttl: "5m" } };
const png = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } };

/** A request with every field that is read, so that each can be replaced. */
const FULL = {
  model: "m",
  max_tokens: 4096,
  system: [text, text],
  messages: [
    { role: "system", content: [text] },
    {
      role: "user",
      content: [
        text,
        png,
        { type: "image", source: { type: "url", url: "u" } },
        { type: "document", title: "T", context: "C", source: { type: "text", media_type: "text/plain", data: "D" } },
        { type: "document", source: { type: "content", content: [text, png] } },
        { type: "search_result", source: "s", title: "T", content: [text] },
        { type: "container_upload", file_id: "f" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "redacted_thinking", data: "x" },
        text,
        { type: "web_search_tool_result", tool_use_id: "i", content: [{ type: "x", title: "T", url: "u" }] },
        { type: "compaction", content: "c" },
        { type: "tool_use", id: "toolu_a", name: "f", input: { q: [1] } },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_a",
          is_error: true,
          content: [text, png, { type: "tool_reference", tool_name: "g" }],
        },
      ],
    },
    { role: "system", content: "s" },
    { role: "assistant", content: "a" },
  ],
  tools: [
    { type: "custom", name: "f", description: "d", input_schema: { type: "object" }, strict: true },
    { type: "web_search_20250305", name: "web_search" },
  ],
  tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
  thinking: { type: "enabled", budget_tokens: 1024, display: "omitted" },
  output_config: { effort: "max", format: { type: "json_schema", schema: {} } },
  output_format: { type: "json_schema", schema: {} },
  stop_sequences: ["x"],
  stream: true,
  temperature: 1,
  top_p: 1,
  top_k: 1,
  seed: 1,
  min_tokens: 1,
  chat_template_kwargs: { x: 1 },
  chat_template: "x",
  reasoning_effort: "low",
  container: null,
  thread: null,
  mcp_servers: [],
  metadata: { user_id: "u" },
};

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const inside = Array.isArray(value)
    ? value.flatMap((held, at) => pathsIn(held, [...path, at]))
    : Object.entries(value).flatMap(([key, held]) => pathsIn(held, [...path, key]));
  return path.length === 0 ? inside : [path, ...inside];
}

function replaced(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((held, at) => (at === step ? replaced(held, rest, by) : held));
  if (!isObject(value)) throw new Error("The path leads nowhere.");
  return { ...value, [step]: replaced(value[step], rest, by) };
}

const paths = pathsIn(FULL);
const plain = [null, true, 5, -1.5, "", "x", [], {}, [null], ["x"], [[]], [{}], { type: "x" }, { type: null }];

function told(request: unknown): void {
  if (!isObject(request)) throw new Error("A request is an object.");
  for (const count of [false, true]) {
    const result = refusalOf(request, count);
    if (Array.isArray(result)) {
      expect(result[0]).toBe("invalid_request");
      expect(result[1]).toMatch(/^[a-z_]+(?:\[\d+\]|\.[a-z_]+)*$/);
      expect(result[2]).toMatch(/^".+\.$/);
    } else JSON.stringify(result);
  }
}

test("the request that the rest begins with is a good one", () => {
  expect(refusalOf(FULL)).toHaveProperty("continue_final_message", true);
  expect(paths.length).toBeGreaterThan(100);
});

test.each(plain.map((value) => [value]))("%j in the place of any field", { timeout: 30_000 }, (value) => {
  for (const path of paths) told(replaced(FULL, path, value));
});

test("any JSON value in the place of any field", { timeout: 30_000 }, () => {
  const any = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...paths.map((path) => read(FULL, path))));
  fc.assert(
    fc.property(fc.constantFrom(...paths), any, (path, value) => told(replaced(FULL, path, value))),
    { numRuns: 1_000 },
  );
});

function read(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return value;
  const held: unknown = isObject(value) ? value[step] : Array.isArray(value) ? value[Number(step)] : undefined;
  return read(held, rest);
}
