/** What a client may rely on in every generate stream, checked by nothing but the stream itself. */
import type { Json } from "./chat-records.ts";
import { streamBreaches, type Expected, type OwnRules } from "./stream-grammar.ts";

const rules: OwnRules = {
  envelope: ["request_id"],
  chunk({ request_id: id, ...json }) {
    return [
      ...(typeof id === "string" && id !== "" ? [] : ["a request id"]),
      ...["id", "object", "created", "model"].filter((key) => key in json).map((key) => `no ${key}`),
    ];
  },
  choice({ token_ids: ids, finish_reason: reason }: Json) {
    const list: readonly unknown[] | undefined = Array.isArray(ids) ? ids : undefined;
    return [
      ...(list?.every((id) => Number.isInteger(id)) ? [] : ["token ids in every choice"]),
      ...(list?.length === 0 && !reason ? ["ids or a finish"] : []),
    ];
  },
};

/** Returns every breach of the rules, in words; none for a stream as it should be. */
export function generateBreaches(stream: string, expected: Expected): string[] {
  return streamBreaches(stream, expected, rules);
}
