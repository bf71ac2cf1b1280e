/** The JSON routes beside the streams, in front of a real vLLM. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { asList, asText, type Json } from "../support/chat-records.ts";
import { errorOf, MODEL_NOT_FOUND } from "./support/refusals.ts";
import { ALIAS, askVllm, openStage, type Stage } from "./support/stage.ts";

const { contextLength, dialect, model, url } = inject("vllm");

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

function card(id: string): Json {
  return {
    id,
    object: "model",
    created: expect.any(Number),
    owned_by: "vllm",
    max_model_len: contextLength,
    type: "model",
    display_name: id,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
    max_input_tokens: contextLength,
    max_tokens: contextLength,
    capabilities: null,
    lifecycle: "active",
    line: null,
    deprecated_at: null,
    retires_at: null,
  };
}

describe(`the models of the ${dialect} front end are`, () => {
  it("listed, with their other names and without their folders", async () => {
    const { status, text } = await stage.get("/v1/models");
    expect(status).toBe(200);
    const { data, ...list } = JSON.parse(text);
    expect(data).toEqual([card(model), card("my/model")]);
    expect(list).toEqual({ object: "list", has_more: false, first_id: model, last_id: "my/model", models: [] });
    const own: Json = await (await fetch(`${url}/v1/models`)).json();
    const [root] = asList(own["data"]).map((one) => asText(one["root"]));
    expect(root).toMatch(/^\//);
    expect(text).not.toContain(root);
  });

  it.each([
    { name: "by their own name", path: model, id: model },
    { name: "by another one, with its slash", path: ALIAS, id: "my/model" },
    { name: "by another one, its slash encoded", path: "my%2Fmodel", id: "my/model" },
  ])("told one by one: $name", async ({ path, id }) => {
    const { status, text } = await stage.get(`/v1/models/${path}`);
    expect([status, JSON.parse(text)]).toEqual([200, card(id)]);
  });

  it("not told of one that is not there", async () => {
    expect(errorOf(await stage.get("/v1/models/nope"))).toEqual({ status: 404, ...MODEL_NOT_FOUND });
  });
});

describe(`the ${dialect} front end's own bytes are relayed from`, () => {
  it.each([
    { path: "/tokenize", request: { prompt: "Hello é☔" } },
    { path: "/tokenize", request: { prompt: "Hello é☔", return_token_strs: true } },
    { path: "/tokenize", request: { messages: [{ role: "user", content: "Hello" }] } },
    { path: "/detokenize", request: { tokens: [2868, 332, 4114, 1368] } },
    { path: "/detokenize", request: { tokens: [99_999_999] } },
  ])("$path: $request", async ({ path, request }) => {
    const told = await askVllm({ model, ...request }, path);
    for (const name of [model, ALIAS]) {
      const heard = await stage.ask({ model: name, ...request }, path);
      expect([heard.status, heard.text]).toEqual([200, told.text]);
      expect(heard.headers["content-type"]).toMatch(/^application\/json/);
    }
  });

  it("/tokenize and /detokenize, there and back", async () => {
    const { text } = await stage.ask({ model, prompt: "Rain é☔." }, "/tokenize");
    const { tokens } = JSON.parse(text);
    const back = await stage.ask({ model, tokens }, "/detokenize");
    expect(JSON.parse(back.text)).toEqual({ prompt: "Rain é☔." });
  });
});

describe(`a relayed request that the ${dialect} front end refuses gets`, () => {
  it("a 404 for a model that is not there, and no other model's name", async () => {
    const answer = await stage.ask({ model: "nope", prompt: "x" }, "/tokenize");
    expect(errorOf(answer)).toEqual({ status: 404, ...MODEL_NOT_FOUND });
  });

  it.each(["/v1/embeddings", "/pooling", "/classify", "/v1/score", "/v1/rerank"])(
    "a refusal in our shape, for a model without what is asked: %s",
    async (path) => {
      const request = { model, input: "hi" };
      expect((await askVllm(request, path)).status).toBe(404);
      expect(errorOf(await stage.ask(request, path))).toEqual({
        status: 501,
        message: "The origin does not support this operation.",
        type: "server_error",
        param: null,
        code: "not_supported_by_origin",
      });
    },
  );
});

it.each(["/metrics", "/version", "/inference/v1/abort_requests", "/v1/load_lora_adapter"])(
  "%s is not served",
  async (path) => {
    const [got, posted] = [await stage.get(path), await stage.ask({ model }, path)];
    expect([got.status, posted.status]).toEqual([404, 404]);
  },
);
