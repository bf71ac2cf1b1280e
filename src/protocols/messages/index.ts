/** `POST /v1/messages` and its count: https://docs.anthropic.com/en/api/messages */
import type { Operation } from "../protocol.ts";
import { readCount } from "./count.ts";
import { writeMessagesError } from "./error.ts";
import { readMessages } from "./read.ts";

export const messages: Operation = {
  name: "messages",
  genAiName: "chat",
  path: "/v1/messages",
  originPath: "/v1/chat/completions",
  // For their windows: clients ask for more than many a model has.
  knowsModels: true,
  read: readMessages,
  writeError: writeMessagesError,
};

export const countTokens: Operation = {
  name: "count_tokens",
  path: "/v1/messages/count_tokens",
  originPath: "/tokenize",
  read: readCount,
  writeError: writeMessagesError,
};
