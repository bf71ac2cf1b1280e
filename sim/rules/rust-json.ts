import { isObject, listAt, numberAt, objectAt, stringAt } from "../json.ts";
import { json } from "./rust-refusals.ts";
import type { Rule } from "./rule.ts";

/** What is refused while a chat or completions body is read into its types. */
export const READING: readonly Rule[] = [
  (body, request) =>
    typeof body["temperature"] === "string"
      ? json(`temperature: invalid type: string ${JSON.stringify(body["temperature"])}, expected f32`, request)
      : undefined,
  (body, request) =>
    typeof body["stream"] === "string"
      ? json(`stream: invalid type: string ${JSON.stringify(body["stream"])}, expected a boolean`, request)
      : undefined,
  (body, request) => {
    const seed = numberAt(body, "seed") ?? 0;
    return Math.abs(seed) > 2 ** 63
      ? json(`seed: invalid type: floating point \`${seed}\`, expected i64`, request)
      : undefined;
  },
  (body, request) => {
    const top = numberAt(body, "top_k") ?? 0;
    return top < -1 ? json(`top_k: top_k must be -1, 0, or a positive integer, got ${top}`, request) : undefined;
  },
  (body, request) => {
    const most = numberAt(body, "max_tokens") ?? 0;
    return most < 0 ? json(`max_tokens: invalid value: integer \`${most}\`, expected u32`, request) : undefined;
  },
];

/** What is refused while chat's own fields are read. */
export const CHAT_READING: readonly Rule[] = [
  (body, request) => (body["messages"] === undefined ? json("missing field `messages`", request) : undefined),
  (body, request) => {
    const at = listAt(body, "messages").findIndex((message) => isObject(message) && message["content"] === undefined);
    const message = listAt(body, "messages")[at];
    const spoken = stringAt(message, "role") !== "assistant";
    return at >= 0 && spoken ? json(`messages[${at}]: missing field \`content\``, request) : undefined;
  },
  (body, request) => {
    const at = listAt(body, "messages").findIndex(
      (message) => isObject(message) && "reasoning" in message && "reasoning_content" in message,
    );
    return at >= 0 ? json(`messages[${at}]: duplicate field \`reasoning\``, request) : undefined;
  },
  (body, request) => {
    const known = /^(text|image_url|input_audio|audio_url|video_url|image_embeds|audio_embeds|refusal)$/;
    const at = listAt(body, "messages").findIndex((message) =>
      listAt(message, "content").some((part) => !known.test(stringAt(part, "type") ?? "")),
    );
    return at >= 0
      ? json(`messages[${at}]: data did not match any variant of untagged enum MessageContent`, request)
      : undefined;
  },
  (body, request) => {
    const format = objectAt(body, "response_format");
    const type = stringAt(format, "type");
    if (type === "json_schema" && format?.["json_schema"] === undefined) {
      return json("response_format: missing field `json_schema`", request);
    }
    const known = ["text", "json_object", "json_schema", "structural_tag"];
    return type === undefined || known.includes(type)
      ? undefined
      : json(
          `response_format.type: unknown variant \`${type}\`, expected one of \`text\`, \`json_object\`, \`json_schema\`, \`structural_tag\``,
          request,
        );
  },
  (body, request) => {
    const choice = body["tool_choice"];
    return typeof choice === "string" && !["none", "auto", "required"].includes(choice)
      ? json("tool_choice: data did not match any variant of untagged enum ToolChoice", request)
      : undefined;
  },
];
