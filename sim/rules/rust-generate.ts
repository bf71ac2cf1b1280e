import { listAt, numberAt, objectAt } from "../json.ts";
import { manyLogprobs, onlyOne, streamOptions, tooLong, unknownToken } from "./rust-both.ts";
import { json, plain } from "./rust-refusals.ts";
import type { Rule } from "./rule.ts";

/** What the Rust front end refuses in generate, in its order. */
export const GENERATE: readonly Rule[] = [
  (body, request) => (body["token_ids"] === undefined ? json("missing field `token_ids`", request) : undefined),
  (body, request) => {
    const at = listAt(body, "token_ids").findIndex((id) => typeof id === "number" && id < 0);
    const id = listAt(body, "token_ids")[at];
    return at < 0
      ? undefined
      : json(`token_ids[${at}]: invalid value: integer \`${JSON.stringify(id)}\`, expected u32`, request);
  },
  (body, request) =>
    body["sampling_params"] === undefined ? json("missing field `sampling_params`", request) : undefined,
  streamOptions,
  (body) =>
    listAt(body, "token_ids").length === 0
      ? plain("token_ids must contain at least one token ID.", "token_ids")
      : undefined,
  (body, request) => onlyOne(objectAt(body, "sampling_params") ?? {}, request),
  (body) =>
    numberAt(objectAt(body, "sampling_params"), "max_tokens") === 0
      ? plain("max_tokens must be greater than 0.", "sampling_params")
      : undefined,
  (body) => {
    const asked = numberAt(objectAt(body, "sampling_params"), "prompt_logprobs");
    if (asked === undefined) return undefined;
    if (asked < -1) return plain("`prompt_logprobs` must be a non-negative value or -1.", "sampling_params");
    return body["stream"] === true
      ? plain("`prompt_logprobs` are not available when `stream=true`.", "sampling_params")
      : undefined;
  },
  tooLong,
  unknownToken,
  (body) => manyLogprobs(numberAt(objectAt(body, "sampling_params"), "logprobs") ?? 0),
];
