/** `POST /v1/chat/completions`: https://platform.openai.com/docs/api-reference/chat/create */
import type { Operation } from "../protocol.ts";
import { writeOpenAIError } from "../openai-error.ts";
import { readChat } from "./read.ts";

export const chat: Operation = {
  name: "chat",
  genAiName: "chat",
  path: "/v1/chat/completions",
  originPath: "/v1/chat/completions",
  read: readChat,
  writeError: writeOpenAIError,
};
