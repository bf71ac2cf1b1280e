import { promptText } from "./chat/request.ts";
import type { JsonObject } from "./json.ts";
import { piecesOf, spellingOf } from "./text/pieces.ts";

/** The answer of `/tokenize` for a prompt or for messages, in the recorded shape. */
export function tokenize(body: JsonObject, window: number): JsonObject {
  const { prompt } = body;
  const pieces = piecesOf(typeof prompt === "string" ? prompt : promptText(body));
  return {
    count: pieces.length,
    max_model_len: window,
    tokens: pieces.map((piece) => piece.id),
    token_strs: body["return_token_strs"] === true ? pieces.map(spellingOf) : null,
  };
}
