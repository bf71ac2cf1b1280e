/** The origin's own names and secrets, in sentences and as a parameter, that no client may read. */
import { describe, expect, test } from "vitest";
import { readErrorResponse } from "../../../src/vllm/errors.ts";
import { clientSentence } from "../../../src/vllm/errors/sentence.ts";

describe("a sentence of the origin's surroundings is replaced", () => {
  test.each([
    "Request refused by vllm-a3.gpu.acme.com for tenant bob",
    "Request refused by a3.gpu.acme",
    "Request refused by acme.com",
    "Request refused by audio.gpu.acme.com",
    "Request refused by vllm-a3",
    "Not for tenant bob",
    "Not for customer 'bob'",
    "api_key=origin-secret-key-123 is not permitted",
    "The API key origin-secret-key-123 is not permitted",
    "x-api-key is wrong",
    "Bearer sk-originkey-ABC is not valid here",
    "The bearer abc is not valid here",
    "sk-originkey-ABC is not valid here",
    "hf_abcdefghijklmnop is not valid here",
    "password: hunter2 is not valid",
    "eyJhbGciOiJIUzI1NiJ9.e30.abc is not valid",
    "ask ops@acme for help",
    "The LoRA adapter `tenant-bob-private` is not loaded",
    "The adapter bob-private is not loaded",
    "LoRA bob-private is not loaded",
    "lora_name=bob is not loaded",
    "The adapter of acme/secret-70b takes no images",
    "acme/secret-70b takes no images",
    "`acme/secret-70b` takes no images",
    "takes no images (acme/secret-70b)",
    "Not served at /v1/acme/secret-70b",
    "The model `secret-70b` takes no images",
    "The model secret-70b takes no images",
    "model=secret70b takes no images",
  ])("%s", (message) => {
    expect(clientSentence(message, undefined)).toEqual({ message: "The request is not valid.", param: undefined });
    expect(clientSentence(`n is wrong. ${message}`, "n").message).not.toMatch(/acme|bob|secret|sk-|hunter/i);
  });
});

describe("a sentence of the request stays", () => {
  test.each([
    "Use /v1/completions instead.",
    "Use /v1/chat/completions instead.",
    "Expected request with `Content-Type: application/json`",
    "Set temperature and/or top_p.",
    "Set `temperature`/`top_p`.",
    "Set max_tokens/max_completion_tokens.",
    "The model does not support tools.",
    "This model's maximum is 5.",
    "LoRA is not enabled. Use --enable-lora for it.",
    "tools.0.function.name is missing",
    "messages[0].content.0.text must be a string.",
    "temperature must be in [0.0, 2.0], e.g. 0.5.",
    "Token IDs must be non-negative.",
    "needs --tool-call-parser to be set",
  ])("%s", (message) => {
    expect(clientSentence(message, undefined).message).toBe(message);
  });
});

const param = (name: string) =>
  readErrorResponse({ status: 400, body: JSON.stringify({ error: { message: "No.", param: name } }) }).param;

const complaint = (loc: string) => clientSentence("Extra inputs are not permitted", loc);

describe("the parameter", () => {
  test.each(["vllm.gpu.acme.com", "body.vllm.gpu.acme.com", "stop.acme.com", "tenant_bob", "toString", "engine", "x"])(
    "%s is not the client's",
    (name) => {
      expect(param(name)).toBeUndefined();
      const words = `No. (parameter=${name}, value=1)`;
      expect(clientSentence(words, undefined)).toEqual({ message: "No.", param: undefined });
      expect(clientSentence("Field required", name).message).not.toContain(name);
    },
  );

  test.each([
    ["body.messages.0.content", "messages[0].content"],
    ["model", "model"],
    ["user", "user"],
    ["body.prompt", "prompt"],
    ["sampling_params.temperature", "sampling_params.temperature"],
    ["add_special_tokens", "add_special_tokens"],
    ["tokens", "tokens"],
    ["input", "input"],
    ["response_format.json_schema.schema", "response_format.json_schema.schema"],
  ])("%s is %s", (name, shown) => expect(param(name)).toBe(shown));

  test("that nobody knows is the client's own, where the complaint is just that", () => {
    expect(complaint("body.foo")).toEqual({ message: '"foo" is not a known parameter.', param: "foo" });
    expect(complaint("body.messages.0.foo").param).toBe("messages[0].foo");
    expect(complaint("body.vllm.gpu.acme.com").param).toBeUndefined();
  });
});

test("serde's expectations are looked up among its own words only", () => {
  for (const word of ["toString", "constructor", "__proto__"]) {
    const text = `Failed to deserialize the JSON body into the target type: n: invalid type: map, expected ${word}`;
    expect(clientSentence(text, undefined)).toEqual({ message: 'The value of "n" is not valid.', param: "n" });
  }
});
