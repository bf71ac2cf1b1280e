/** `POST /inference/v1/generate`, vLLM's tokens-in-tokens-out: https://docs.vllm.ai/en/latest/serving/ */
import { writeOpenAIError } from "../openai-error.ts";
import type { Operation } from "../protocol.ts";
import { readGenerate } from "./read.ts";

export const generate: Operation = {
  name: "generate",
  genAiName: "text_completion",
  path: "/inference/v1/generate",
  originPath: "/inference/v1/generate",
  originSwitch: "--enable-scale-out",
  knowsModels: true,
  read: readGenerate,
  writeError: writeOpenAIError,
};
