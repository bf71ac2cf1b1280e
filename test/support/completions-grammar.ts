/** What a client may rely on in every completions stream, checked by nothing but the stream itself. */
import type { Json } from "./chat-records.ts";
import { streamBreaches, type Expected, type OwnRules } from "./stream-grammar.ts";

const rules: OwnRules = {
  envelope: ["id", "object", "created", "model"],
  chunk({ id, object, created, model, ...json }, expected) {
    return [
      ...(typeof id === "string" && id !== "" && Number.isInteger(created) ? [] : ["an id and a time"]),
      ...(object === "text_completion" ? [] : ["object text_completion"]),
      ...(typeof model === "string" && model === (expected.model ?? model) ? [] : ["the client's name of the model"]),
      ...("usage" in json && expected.usage === "none" ? ["no usage member unless asked for"] : []),
    ];
  },
  choice({ text, finish_reason: reason }: Json) {
    return [
      ...(typeof text === "string" ? [] : ["a text in every choice"]),
      ...(reason && text !== "" ? ["no text with a finish"] : []),
      ...(reason === "abort" || reason === "error" ? ["a reason that ends well"] : []),
    ];
  },
};

/** Returns every breach of the rules, in words; none for a stream as it should be. */
export function completionsBreaches(stream: string, expected: Expected): string[] {
  return streamBreaches(stream, expected, rules);
}
