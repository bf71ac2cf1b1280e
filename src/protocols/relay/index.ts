/**
 * vLLM's JSON routes that need nothing of us but the door, the model's alias and errors in one shape. What is not in this
 * table is not relayed. https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
 */
import { editObject } from "../../core/json/edit.ts";
import { parseObject } from "../../core/json/object.ts";
import { readModel } from "../openai-call.ts";
import { writeOpenAIError } from "../openai-error.ts";
import type { Call, Operation } from "../protocol.ts";
import type { JsonBody } from "../read-json.ts";

const PATHS = [
  "/tokenize",
  "/detokenize",
  "/v1/embeddings",
  "/pooling",
  "/classify",
  "/score",
  "/v1/score",
  "/rerank",
  "/v1/rerank",
  "/v2/rerank",
] as const;

export const relays: readonly Operation[] = PATHS.map((path) => ({
  name: path.replace(/^.*\//, ""),
  ...(path === "/v1/embeddings" && { genAiName: "embeddings" as const }),
  path,
  originPath: path,
  read: readRelayed,
  writeError: writeOpenAIError,
}));

/** Returns the call in a relayed request's body: all but the model passes as the client wrote it. */
function readRelayed({ text, json }: JsonBody): Call {
  const model = readModel(json);
  return {
    kind: "relayed",
    model,
    promptParam: "input",
    rename: (answer) => {
      const named = parseObject(answer)?.["model"];
      return model === undefined || typeof named !== "string" ? answer : editObject(answer, { model });
    },
    forward: (name) => (name === model ? text : editObject(text, { model: name })),
  };
}
