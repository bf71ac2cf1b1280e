/** Messages in front of a real vLLM: what is at fault, in the words of Anthropic's protocol; and a client that leaves. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Json } from "../support/chat-records.ts";
import { eventually } from "../support/worker.ts";
import { COUNT, DISABLED, eventsIn, message, MESSAGE_TOOLS, MESSAGES } from "./support/messages.ts";
import { INSIDES } from "./support/refusals.ts";
import { CALL_TIME, CALL_WEATHER, say } from "./support/requests.ts";
import { countHeard, countTokens, engineWith, openStage, type Answer, type Stage } from "./support/stage.ts";

const { dialect, contextLength } = inject("vllm");

const WORDS = 600;
const LONG = "word ".repeat(WORDS);

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ HOLD_MS: 500, KEEPALIVE_MS: 100 });
});

afterAll(() => stage[Symbol.asyncDispose]());

/** Returns status, type and words of an error, once it is clear that nothing of vLLM's insides shows. */
function errorOf({ status, headers, text }: Answer): readonly unknown[] {
  expect(text).not.toMatch(INSIDES);
  const { type, error, request_id: id }: { type: string; error: Json; request_id: string } = JSON.parse(text);
  expect([type, id]).toEqual(["error", headers["request-id"]]);
  return [status, error["type"], error["message"]];
}

describe.each([true, false])("a request at fault, streamed: %s, gets", (stream) => {
  const ask = (fields: Json): Promise<Answer> => stage.ask(message({ stream, ...fields }), MESSAGES);

  it("our refusal, and vLLM never hears of it", async () => {
    const before = await countHeard("/v1/chat/completions");
    expect(errorOf(await ask({ max_tokens: undefined }))).toEqual([
      400,
      "invalid_request_error",
      '"max_tokens" is required.',
    ]);
    expect(await countHeard("/v1/chat/completions")).toBe(before);
  });

  it("a 404 for a model that is not there", async () => {
    expect(errorOf(await ask({ model: "nope" }))).toEqual([404, "not_found_error", "The model `nope` does not exist."]);
  });

  it("the refusal of vLLM", async () => {
    const request = { ...say("ok"), bad_words: [1], ...DISABLED };
    const [status, type, words] = errorOf(await ask(request));
    expect([status, type]).toEqual([400, "invalid_request_error"]);
    expect(words).toMatch(/\S/);
  });

  it("the numbers of a prompt that is too long, in the words that clients look for", async () => {
    const messages = [{ role: "user", content: "word ".repeat(contextLength * 2) }];
    // Python stops counting where it is clear that the prompt is too long.
    const tokens = dialect === "rust" ? await countTokens(messages) : contextLength + 1;
    expect(errorOf(await ask({ messages }))).toEqual([
      400,
      "invalid_request_error",
      `prompt is too long: ${tokens} tokens > ${contextLength} maximum`,
    ]);
  });

  it("an answer, where it asks for more tokens than the model has", async () => {
    // Claude Code asks for 32,000 and more of any model, which Python's front end refuses.
    const { status, text } = await ask({ ...say("<think>hm</think>ok"), max_tokens: 64_000 });
    expect([status, text]).toEqual([200, expect.stringContaining('"end_turn"')]);
  });
});

describe("a count at fault gets", () => {
  it("our refusal", async () => {
    const { messages: _messages, ...rest } = message({});
    expect(errorOf(await stage.ask(rest, COUNT))).toEqual([400, "invalid_request_error", '"messages" is required.']);
  });

  it("a 404 for a model that is not there", async () => {
    expect(errorOf(await stage.ask(message({ model: "nope" }), COUNT)).slice(0, 2)).toEqual([404, "not_found_error"]);
  });
});

describe(`an engine behind the ${dialect} front end that gives up a request`, () => {
  // The line's end breaks the grammar by which calls are forced, and vLLM gives the request up.
  const request = {
    ...say(`${CALL_WEATHER}\n${CALL_TIME}`),
    tools: MESSAGE_TOOLS,
    tool_choice: { type: "any" },
    ...DISABLED,
  };
  const FAILED = ["api_error", "The origin failed while it worked on this request."];

  it("is told in the stream, and nothing comes after it", async () => {
    const { status, text } = await stage.ask(message({ ...request, stream: true }), MESSAGES);
    expect(status).toBe(200);
    expect(text).not.toMatch(INSIDES);
    const events = eventsIn(text);
    const [type, words] = FAILED;
    expect(events.at(-1)).toEqual({ type: "error", error: { type, message: words } });
    expect(events.map((event) => event["type"])).not.toContain("message_delta");
    expect(events.map((event) => event["type"])).toContain("content_block_delta");
  });

  it("is a 500 of a whole answer", async () => {
    expect(errorOf(await stage.ask(message(request), MESSAGES))).toEqual([500, ...FAILED]);
  });
});

describe(`the engine behind the ${dialect} front end`, () => {
  it("is kept waiting for by pings", async () => {
    const { text } = await stage.ask(message({ ...say("ok", 500), stream: true, ...DISABLED }), MESSAGES);
    const types = eventsIn(text).map((event) => event["type"]);
    expect(types.filter((type) => type === "ping").length).toBeGreaterThan(1);
    expect(types.at(-1)).toBe("message_stop");
  });

  it.each([
    { how: "resets in mid-stream", stream: true, delayMs: 50, awaited: "word", go: "reset", state: "streaming" },
    {
      how: "leaves politely in mid-stream",
      stream: true,
      delayMs: 50,
      awaited: "word",
      go: "leave",
      state: "streaming",
    },
    { how: "leaves politely before it", stream: true, delayMs: 2_000, awaited: "ping", go: "leave", state: "prefill" },
    {
      how: "resets while it waits for a whole answer",
      stream: false,
      delayMs: 50,
      awaited: "",
      go: "reset",
      state: "*",
    },
  ] as const)("is free again once a client $how", async ({ stream, delayMs, awaited, go, state }) => {
    const before = await engineWith(0);
    const seen = stage.worker.lines.length;
    const asked = message({ ...say(LONG, delayMs), max_tokens: 1_500, stream, ...DISABLED });
    using client = await stage.send(asked, MESSAGES);
    if (awaited) await client.until(awaited);
    if (awaited !== "ping") await engineWith(1);
    client[go]();
    const line = await eventually(() => stage.worker.lines[seen]);
    expect(line).toMatchObject({ "sluice.ending": "client_left", ...(state !== "*" && { "sluice.stage": state }) });
    // The engine takes the next request, and after that has counted anew.
    const answer = await stage.ask(message({ ...say("ok"), ...DISABLED }), MESSAGES);
    expect(JSON.parse(answer.text)).toMatchObject({ content: [{ type: "text", text: "ok" }] });
    const after = await engineWith(0);
    // One that had merely been fast would have made them all.
    expect(after.tokens - before.tokens).toBeLessThan(WORDS / 2);
  });
});
