import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startSim, type Sim } from "../../sim/server.ts";
import { completionsRequest, eventually, generateRequest, openUntil } from "./support/ask.ts";
import { recordsOf } from "./support/shape.ts";
import { seen, type Seen } from "./support/seen.ts";
import { call, type WireRequest } from "./support/wire.ts";

let sim: Sim;
beforeAll(async () => {
  sim = await startSim({ pace: 0 });
});
afterAll(() => sim.close());

async function answer(request: WireRequest): Promise<Seen> {
  return seen(await call(sim.port, request));
}

describe("completions", () => {
  test("several prompts have their own choices, in turn, and one usage", async () => {
    const fields = { prompt: ["One", [40, 41]], n: 2, stream_options: { include_usage: true }, max_tokens: 2 };
    const a = await answer(completionsRequest("sim/chat", fields));
    const indices = a.events.flatMap((event) => /"index":(\d)/.exec(event)?.[1] ?? []);
    expect(indices).toEqual(["0", "1", "2", "3", "0", "1", "2", "3"]);
    expect(a.finishes).toEqual(["length", "length", "length", "length"]);
    expect(a.text).toContain('"usage":{"prompt_tokens":3,"total_tokens":11,"completion_tokens":8}');
  });

  test("continuous usage counts a choice with its own prompt", async () => {
    const stream_options = { include_usage: true, continuous_usage_stats: true };
    const a = await answer(
      completionsRequest("sim/chat", { prompt: ["One", "One two"], max_tokens: 1, stream_options }),
    );
    expect(a.text.match(/"prompt_tokens":\d/g)).toEqual(["1", "2", "3"].map((count) => `"prompt_tokens":${count}`));
  });

  test("sixteen tokens unless asked otherwise; sim/say says the prompt", async () => {
    const usual = await answer(completionsRequest("sim/chat", { max_tokens: null }));
    expect([usual.said.length, usual.finishes]).toEqual([16, ["length"]]);
    const said = await answer(completionsRequest("sim/say", { prompt: "Łódź ☔", echo: true }));
    expect(said.said.join("")).toBe("Łódź ☔Łódź ☔");
  });

  test("the finish stands where the model's name says", async () => {
    const separate = await answer(completionsRequest("sim/chat?finish=separate", { max_tokens: 2 }));
    expect(separate.said.at(-1)).toBe("");
    const merged = await answer(completionsRequest("sim/chat-rust?finish=merged&words=3"));
    expect(merged.events.at(-2)).toMatch(/"text":"[^"]+","finish_reason":"stop"/);
  });
});

describe("generate", () => {
  test.each(["sim/say?finish=separate", "sim/say-rust?finish=separate"])("%s ends with no ids", async (model) => {
    const a = await answer(generateRequest(model));
    expect(a.said).toEqual(["40", "41", "42", "2", ""]);
    expect(a.events.at(-2)).toMatch(/"finish_reason":"stop".*"token_ids":\[\]/);
  });

  test("a script dictates ids or a text", async () => {
    const ids = await answer(generateRequest("tiny", {}, { extra_args: { ids: "7,8,2" } }));
    expect(ids.said).toEqual(["7", "8", "2"]);
    const rust = await answer(generateRequest("tiny-rust", {}, { vllm_xargs: { ids: "7,8,2" } }));
    expect(rust.said).toEqual(["7", "8", "2"]);
    const text = await answer(generateRequest("tiny", {}, { extra_args: { script: "ok." } }));
    const tokens = await answer({ path: "/tokenize", body: { model: "tiny", prompt: "ok." } });
    expect(tokens.text).toContain(`"tokens":[${text.said.slice(0, -1).join(",")}]`);
  });

  test.each([
    ["tiny?scale_out=off", 403, "--enable-scale-out"],
    ["tiny-rust?scale_out=off", 403, "--enable-scale-out"],
    ["tiny?scale_out=absent", 404, '{"detail":"Not Found"}'],
    ["tiny-rust?scale_out=absent", 404, ""],
  ])("%s: %i", async (model, status, says) => {
    const a = await answer(generateRequest(model));
    expect([a.status, a.text]).toEqual([status, expect.stringContaining(says)]);
    expect((await answer(completionsRequest(model))).status).toBe(200);
  });

  test("sends no comments, whatever was switched on", async () => {
    const slow = "?keepalive_ms=5&prefill_ms=30&words=2";
    expect((await answer(completionsRequest(`sim/chat${slow}`))).text).toContain(": keep-alive");
    expect((await answer(generateRequest(`sim/chat${slow}`))).text).not.toContain(": keep-alive");
  });
});

describe.each([
  ["completions", completionsRequest],
  ["generate", generateRequest],
] as const)("switches in %s", (operation, request) => {
  const text = async (switches: string, fields: Record<string, unknown> = {}): Promise<string> =>
    (await answer(request(`sim/chat?${switches}`, fields))).text;
  const stream_options = { include_usage: true };

  test("usage, packets, errors, cuts", async () => {
    expect(await text("usage=none", { stream_options })).not.toContain('"usage":{');
    expect((await text("usage=continuous&words=2", { stream_options })).match(/"usage":\{/g)?.length).toBeGreaterThan(
      2,
    );
    expect(await text("words=1")).not.toContain('"usage":{');
    expect((await answer(request("sim/chat?tokens_per_chunk=50&words=60"))).events.length).toBeLessThan(6);
    expect(await text("error=503")).toMatch(/^data: \{"error": .*503\}\}\n\ndata: \[DONE\]\n\n$/);
    expect(recordsOf(await text("error_after=2")).length).toBe(4);
    expect((await answer(request("sim/chat?cut_after=2"))).ended).toBe("cut");
    expect((await answer(request("sim/chat?empty_deltas=1&words=2"))).said.slice(0, 2)).toEqual([
      "",
      expect.any(String),
    ]);
  });

  test("a gate holds everything after the first token, and an abort is recorded", async () => {
    const model = `sim/chat?gate=${operation}`;
    const stream = await openUntil(sim.port, request(model), (seenSoFar) => seenSoFar.includes("data: "));
    const record = () => sim.requests().findLast((made) => made.model === model);
    expect(record()).toMatchObject({ method: "POST", path: request(model).path, ended: "open", frames: 1 });
    stream.leave();
    await eventually(() => record()?.ended === "closed", "the abort");
    expect(record()?.frames).toBe(1);
  });
});
