/** Behind an alias, no error names the model that it stands for. */
import { expect, test } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { reword } from "../../../src/vllm/reword.ts";

const said = (message: string, client: string | undefined, origin: string | undefined): string =>
  reword(new GatewayError("invalid_request", message), { client, origin }).message;

test.for([
  ["tiny takes no images.", "fast", "tiny", "fast takes no images."],
  ["The model is called tiny.", "fast", "tiny", "The model is called fast."],
  ["`org/tiny` is busy", "fast", "org/tiny", "`fast` is busy"],
  [
    "chat_template is not supported in chat requests",
    "fast",
    "chat",
    "chat_template is not supported in fast requests",
  ],
  ["tiny.", "$& $1", "tiny", "$& $1."],
  ["a+b is no expression", "fast", "a+b", "fast is no expression"],
  ["tiny-2 is another, and so is my/tiny", "fast", "tiny", "tiny-2 is another, and so is my/tiny"],
  ["tiny", "tiny", "tiny", "tiny"],
  ["tiny", undefined, "tiny", "tiny"],
  ["tiny", "fast", undefined, "tiny"],
] as const)("%j, called %j for %j", ([message, client, origin, expected]) => {
  expect(said(message, client, origin)).toBe(expected);
});

test("a model that is not there is told by the client's own name, however long that is", () => {
  const error = new GatewayError("model_not_found", "The model `org/tiny` does not exist.", { param: "model" });
  const long = reword(error, { client: "x".repeat(1_000), origin: "org/tiny" });
  expect(long.message).toBe(`The model \`${"x".repeat(200)}\` does not exist.`);
  expect(long).toMatchObject({ code: "model_not_found", status: 404, param: "model" });
});
