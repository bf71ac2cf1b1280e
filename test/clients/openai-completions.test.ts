/** Completions and the list of models by the `openai` package, both generations of it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf } from "./support/failure.ts";
import { GENERATIONS, type OpenAIClient } from "./support/openai.ts";
import { openStage, type Stage } from "./support/stage.ts";

const SAID = "Łódź — 天気 ☔, and a naïve “quote”.";

let stage: Stage;

beforeAll(async () => {
  // fetch closes its connection with a FIN, which workerd sees when it writes: a keep-alive is what makes it write.
  stage = await openStage({ HOLD_MS: 500, KEEPALIVE_MS: 200, MODELS: { "team/gates": { model: "sim/chat" } } });
});

afterAll(() => stage[Symbol.asyncDispose]());

describe.each(GENERATIONS)("openai $version", ({ version, OpenAI }) => {
  let client: OpenAIClient;

  beforeAll(() => {
    client = new OpenAI({ baseURL: stage.baseURL, apiKey: "unused", maxRetries: 0 });
  });

  describe.each(["", "-rust"])("of a server that speaks as sim%s", (dialect) => {
    const model = `sim/say${dialect}`;

    it("streams a text in many chunks of one answer, with its usage last", async () => {
      const options = { stream: true, stream_options: { include_usage: true }, max_tokens: 200 } as const;
      const chunks = await Array.fromAsync(await client.completions.create({ model, prompt: SAID, ...options }));
      const texts = chunks.map(({ choices }) => choices[0]?.text).filter((text) => !!text);
      expect(texts.join("")).toBe(SAID);
      expect(texts.length).toBeGreaterThan(10);
      expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
      expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(["stop"]);
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
      expect(chunks.slice(0, -1).filter(({ usage }) => usage)).toEqual([]);
    });

    it("reads a whole answer with its usage", async () => {
      const answer = await client.completions.create({ model, prompt: SAID, max_tokens: 200 });
      expect(answer).toMatchObject({
        object: "text_completion",
        model,
        choices: [{ text: SAID, finish_reason: "stop" }],
      });
      const { prompt_tokens: prompt = 0, completion_tokens: completion = 0, total_tokens: total } = answer.usage ?? {};
      expect(total).toBe(prompt + completion);
      expect(answer._request_id).toMatch(/^req_/);
    });

    it("reads echo and length", async () => {
      const answer = await client.completions.create({ model, prompt: "One two three", echo: true, max_tokens: 1 });
      expect(answer.choices).toMatchObject([{ text: "One two threeOne", finish_reason: "length" }]);
    });

    it("gets the text so far and then an APIError when a stream is cut", async () => {
      const cut = `sim/eof-mid${dialect}`;
      const stream = await client.completions.create({ model: cut, prompt: "Hello", stream: true });
      let text = "";
      const error = await failureOf(
        (async () => {
          for await (const { choices } of stream) text += choices[0]?.text ?? "";
        })(),
      );
      expect(text).not.toBe("");
      expect(error).toBeInstanceOf(OpenAI.APIError);
      expect(error).toMatchObject({ status: undefined, code: "origin_cut", type: "server_error" });
    });
  });

  it("streams the choices of several prompts", async () => {
    const prompt = ["One", "Two"];
    const stream = await client.completions.create({ model: "sim/say", prompt, n: 2, stream: true });
    const texts = ["", "", "", ""];
    for await (const { choices } of stream) for (const { index, text } of choices) texts[index] += text;
    expect(texts).toEqual(["One", "One", "Two", "Two"]);
  });

  it.each([true, false])("gets a BadRequestError that names the parameter (stream: %s)", async (stream) => {
    const own = await failureOf(client.completions.create({ model: "sim/chat", prompt: "", stream }));
    expect(own).toBeInstanceOf(OpenAI.BadRequestError);
    expect(own).toMatchObject({ status: 400, code: "invalid_request", param: "prompt" });
    const origins = await failureOf(client.completions.create({ model: "sim/error-python", prompt: "Hello", stream }));
    expect(origins).toBeInstanceOf(OpenAI.BadRequestError);
    expect(origins).toMatchObject({ status: 400, code: "invalid_request", param: "temperature" });
  });

  it("gets an InternalServerError of a stream that held nothing but its end", async () => {
    const error = await failureOf(client.completions.create({ model: "sim/done-only", prompt: "Hello", stream: true }));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 502, code: "origin_protocol" });
  });

  it("closes the origin's request when the loop over a stream is left", async () => {
    const model = `sim/chat?pace_ms=30&words=2000&key=completion-${version}`;
    const stream = await client.completions.create({ model, prompt: "Hello", max_tokens: 4_000, stream: true });
    for await (const { choices } of stream) if (choices[0]?.text) break;
    expect((await stage.closed(model)).frames).toBeLessThan(1_000);
  });

  it("closes the origin's request when its signal is aborted before the first token", async () => {
    const model = `sim/chat?prefill_ms=60000&key=completion-${version}`;
    const leaving = new AbortController();
    const options = { signal: leaving.signal };
    // The head comes when the hold ends; of the answer there is nothing yet.
    const stream = await client.completions.create({ model, prompt: "Hello", stream: true }, options);
    leaving.abort();
    expect(await Array.fromAsync(stream)).toEqual([]);
    await stage.closed(model);
  });

  it("lists the models, aliases included", async () => {
    const models = await Array.fromAsync(client.models.list());
    expect(models.map(({ id }) => id)).toEqual([
      "sim/chat",
      "sim/chat-rust",
      "sim/say",
      "sim/embed",
      "tiny",
      "tiny-rust",
      "team/gates",
    ]);
    expect(models[0]).toMatchObject({ object: "model", owned_by: "vllm", created: expect.any(Number) });
  });

  it.each(["tiny", "sim/chat", "team/gates"])("retrieves one model, also where its id has a slash: %s", async (id) => {
    expect(await client.models.retrieve(id)).toMatchObject({ id, object: "model" });
  });

  it("gets a NotFoundError for a model that is not there", async () => {
    const error = await failureOf(client.models.retrieve("no/such"));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ status: 404, code: "model_not_found", param: "model" });
  });
});
