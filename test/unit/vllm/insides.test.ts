import { describe, expect, test } from "vitest";
import { clientSentence } from "../../../src/vllm/errors/sentence.ts";

const NOT_VALID = "The request is not valid.";

describe("what smells of the insides is replaced", () => {
  test.each([
    "EngineCore encountered an issue. See stack trace (above) for the root cause.",
    "engine-core error: engine core reported fatal failure",
    "KeyError: 'x'",
    "torch.cuda.OutOfMemoryError",
    "Traceback (most recent call last):",
    'File "/usr/lib/python3/x.py", line 3, in go',
    "no such file: /models/llama/config.json",
    "cannot open C:\\models\\llama",
    "object at 0x7f3a2b",
    "expected u32",
    "got Option<String>",
    "thread panicked at core::result",
    "set CUDA_VISIBLE_DEVICES",
    "see the VLLM_FOO environment variable",
    "request chatcmpl-9de60ae1 is unknown",
    "request 0f8fad5b-d9cb-469f-a165-70867728950e is unknown",
    "see https://example.com/help",
    "connect to 10.1.2.3 failed",
    "connect to gpu-7:8000 failed",
    "connect to vllm.svc.cluster.local failed",
    "not below max_model_len",
    "started without --internal-magic",
    "<class 'vllm.Foo'>",
    "LLMEngine is busy",
    "For further information visit us",
  ])("%s", (message) => {
    expect(clientSentence(message, undefined)).toEqual({ message: NOT_VALID, param: undefined });
    expect(clientSentence(message, "body.temperature")).toEqual({
      message: 'The value of "temperature" is not valid.',
      param: "temperature",
    });
  });
});

describe("bounds", () => {
  test("a sentence is cut at 500 characters, never inside one", () => {
    const { message } = clientSentence("z".repeat(498) + "😀".repeat(400), undefined);
    expect(message).toBe(`${"z".repeat(498)}…`);
    expect(clientSentence("z".repeat(501), undefined).message).toBe(`${"z".repeat(499)}…`);
  });

  test("a parameter that is no path of a request's is not named", () => {
    for (const param of [
      "body",
      "body.31",
      "input_tokens",
      "input_text",
      "body.input_tokens",
      "",
      "FooBar",
      "a b",
      "x".repeat(300),
    ]) {
      expect(clientSentence("No.", param).param).toBeUndefined();
    }
  });

  test.each(["(", "'", '"', "`", " ", "a.", "a:", "[{'type': '", "failed to ", " (parameter=", ", expected ", "1."])(
    "64 KiB of %j are read at once",
    (piece) => {
      const message = piece.repeat(65_536 / piece.length);
      for (const head of ["", "1 validation error:\n", "Failed to deserialize the JSON body into the target type: "]) {
        expect(clientSentence(head + message, "n").message.length).toBeLessThanOrEqual(500);
      }
    },
    1000,
  );
});
