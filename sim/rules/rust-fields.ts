import { listAt, numberAt } from "../json.ts";
import { plain, field, range, float } from "./rust-refusals.ts";
import type { Rule } from "./rule.ts";

/** What the validators of single fields refuse. */
export const FIELDS: readonly Rule[] = [
  (body) =>
    listAt(body, "messages").length === 0 ? field("messages", "messages cannot be empty", "Array []") : undefined,
  (body) => range(body, "temperature", 0, 2, "float"),
  (body) => range(body, "presence_penalty", -2, 2, "float"),
  (body) => range(body, "frequency_penalty", -2, 2, "float"),
  (body) => range(body, "min_p", 0, 1, "float"),
  (body) => range(body, "n", 1, 10, "integer"),
  (body) => {
    const top = numberAt(body, "top_p") ?? 1;
    return top <= 0 || top > 1
      ? field("top_p", "top_p must be in (0, 1] - greater than 0.0 and at most 1.0", `Number(${float(top)})`)
      : undefined;
  },
  (body) =>
    (numberAt(body, "max_completion_tokens") ?? numberAt(body, "max_tokens")) === 0
      ? plain('max_completion_tokens: Validation error: range [{"min": Number(1), "value": Number(0)}]')
      : undefined,
  (body) =>
    body["cache_salt"] === ""
      ? plain('cache_salt: Validation error: length [{"min": Number(1), "value": String("")}]')
      : undefined,
  (body) => {
    const stops = listAt(body, "stop");
    const list = `Array [${stops.map((stop) => `String(${JSON.stringify(stop)})`).join(", ")}]`;
    if (stops.length > 4) return field("stop", "stop strings must contain at most 4 items", list);
    return stops.includes("") ? field("stop", "stop strings cannot be empty", list) : undefined;
  },
  (body) =>
    body["stream_options"] != null && body["stream"] !== true
      ? plain("__all__: stream_options can only be used when stream is true")
      : undefined,
  (body) =>
    body["top_logprobs"] != null && body["logprobs"] !== true
      ? plain("__all__: top_logprobs is only allowed when logprobs is enabled")
      : undefined,
];
