import { listAt, objectAt, stringAt, type JsonObject } from "../json.ts";
import { tooLong, tooMany } from "./python-both.ts";
import { plain } from "./python-refusals.ts";
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
  tooLong,
  tooMany,
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
