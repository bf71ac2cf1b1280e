/** `POST /v1/completions`: https://platform.openai.com/docs/api-reference/completions/create */
import { writeOpenAIError } from "../openai-error.ts";
import type { Operation } from "../protocol.ts";
import { readCompletion } from "./read.ts";

export const completions: Operation = {
  name: "completions",
  genAiName: "text_completion",
  path: "/v1/completions",
  originPath: "/v1/completions",
  read: readCompletion,
  writeError: writeOpenAIError,
};
