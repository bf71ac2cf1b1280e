import { promptText } from "../chat/request.ts";
import { listAt, type JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import { piecesOf, piecesOfIds, spellingOf, textOf, VOCABULARY } from "../text/pieces.ts";

/** The answer of `/tokenize` for a prompt or for messages, in the recorded shape. */
export function tokenize(body: JsonObject, { window }: Model): JsonObject {
  const { prompt } = body;
  const pieces = piecesOf(typeof prompt === "string" ? prompt : promptText(body));
  return {
    count: pieces.length,
    max_model_len: window,
    tokens: pieces.map((piece) => piece.id),
    token_strs: body["return_token_strs"] === true ? pieces.map(spellingOf) : null,
  };
}

/** The answer of `/detokenize`: ids that nobody knows have no text. */
export function detokenize(body: JsonObject): JsonObject {
  const ids = listAt(body, "tokens").filter((id) => typeof id === "number" && id < VOCABULARY);
  return { prompt: textOf(piecesOfIds(ids.map(Number))) };
}
