import { listAt, numberAt, objectAt, stringAt, type JsonObject } from "../json.ts";
import { plain, bad } from "./python-refusals.ts";
import type { Refusal, Rule } from "./rule.ts";

/** What the server refuses by its own settings and its window. */
export const SERVER: readonly Rule[] = [
  (body) =>
    body["chat_template"] != null
      ? plain(
          "Chat template is passed with request, but --trust-request-chat-template is not set. Refused request with untrusted chat template.",
        )
      : undefined,
  (body, { model }) => parserMissing(body, model.switches.parsers ?? "both"),
  (body, { model }) => contentParts(body, model.name),
  (body) =>
    listAt(body, "messages").length === 0
      ? plain("Cannot apply chat template to an empty conversation. Provide at least one message.")
      : undefined,
  (_, { promptTokens, model: { window } }) => {
    if (promptTokens < window) return undefined;
    const says = `This model's maximum context length is ${window} tokens. However, your prompt contains at least ${window + 1} input tokens, which exceeds this limit even without any output tokens. Please reduce the length of the input prompt.`;
    return bad(says, "input_tokens", window + 1);
  },
  (body, { model: { window } }) => {
    const asked = numberAt(body, "max_completion_tokens") ?? numberAt(body, "max_tokens");
    if (asked === undefined || asked <= window) return undefined;
    const name = body["max_completion_tokens"] === undefined ? "max_tokens" : "max_completion_tokens";
    const says = `${name}=${asked} cannot be greater than max_model_len=${window}. Please request fewer output tokens.`;
    return bad(says, name, asked);
  },
];

function parserMissing(body: JsonObject, parsers: string): Refusal | undefined {
  if (parsers === "both" || parsers === "tools" || listAt(body, "tools").length === 0) return undefined;
  const choice = body["tool_choice"] ?? "auto";
  if (choice === "none") return undefined;
  const name = stringAt(objectAt(choice, "function"), "name");
  if (name !== undefined) return plain(`tool_choice=function "${name}" requires --tool-call-parser to be set`);
  return choice === "required"
    ? plain('tool_choice="required" requires --tool-call-parser to be set')
    : plain('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set');
}

function contentParts(body: JsonObject, model: string): Refusal | undefined {
  const parts = listAt(body, "messages").flatMap((message) => listAt(message, "content"));
  const types = parts.map((part) => stringAt(part, "type") ?? "text");
  if (types.some((type) => /^(image|video|audio|input_audio)/.test(type))) {
    return plain(`${model} is not a multimodal model`);
  }
  const strange = types.find((type) => type !== "text" && type !== "refusal");
  return strange === undefined
    ? undefined
    : plain(
        `8 validation errors for ValidatorIterator\n0.ChatCompletionContentPartTextParam.type\n  Input should be 'text' [type=literal_error, input_value='${strange}', input_type=str]\n    For further information visit https://errors.pydantic.dev/2.14/v/literal_error`,
      );
}
