/** While a real vLLM thinks and says nothing, its client is kept alive; what it says then is all there. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { chat, NO_THINKING, say, TOOLS, USAGE } from "./support/requests.ts";
import { expectAllOf, saidIn } from "./support/said.ts";
import { askVllm, openStage, type Stage } from "./support/stage.ts";

const { dialect } = inject("vllm");

const KEEPALIVE = ": keepalive\n\n";

let hasty: Stage;
let patient: Stage;

beforeAll(async () => {
  [hasty, patient] = await Promise.all([
    openStage({ HOLD_MS: 100, KEEPALIVE_MS: 200 }),
    openStage({ HOLD_MS: 60_000, KEEPALIVE_MS: 60_000 }),
  ]);
});

afterAll(async () => {
  await hasty[Symbol.asyncDispose]();
  await patient[Symbol.asyncDispose]();
});

/** Each token takes a second. */
const SLOW = { ...say("ok", 1_000), ...NO_THINKING, ...USAGE };

describe(`a slow prefill behind the ${dialect} front end`, () => {
  it("is bridged with keep-alives, before the first word and between words", async () => {
    const body = chat(SLOW);
    using client = await hasty.send(body);
    expect((await client.head()).status).toBe(200);
    expect(await client.until(KEEPALIVE.repeat(3))).not.toContain('"ok"');
    const heard = await client.text();
    expectAllOf(body, (await askVllm(body)).text, heard);
    expect(saidIn(heard)).toEqual([{ text: "ok", finish: "stop" }]);
    const [, later = ""] = heard.split('"ok"');
    expect(later).toContain(KEEPALIVE);
  });

  it("is waited for with the head, where the hold is long", async () => {
    const { status, text } = await patient.ask(chat(SLOW));
    expect(status).toBe(200);
    expect(text).not.toContain(KEEPALIVE);
    expect(saidIn(text)).toEqual([{ text: "ok", finish: "stop" }]);
  });

  it("that ends in a failure is a true status, where the head was held", async () => {
    const forced = { tools: TOOLS, tool_choice: "required", ...NO_THINKING };
    const { status, text } = await patient.ask(chat({ ...say(" no call", 500), ...forced, stream: false }));
    expect([status, JSON.parse(text).error.code]).toEqual([500, "origin_error"]);
  });
});
