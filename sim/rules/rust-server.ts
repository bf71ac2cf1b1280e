import { listAt, numberAt, objectAt, stringAt, type JsonObject } from "../json.ts";
import { VOCABULARY } from "../text/pieces.ts";
import { manyLogprobs, onlyOne, tooLong } from "./rust-both.ts";
import { plain } from "./rust-refusals.ts";
import type { Refusal, Rule } from "./rule.ts";
import { unknownType } from "./schema-types.ts";

/** What the server refuses by its own settings, its window and its engine. */
export const SERVER: readonly Rule[] = [
  onlyOne,
  (body) =>
    body["use_beam_search"] === true ? plain("use_beam_search is not supported.", "use_beam_search") : undefined,
  (body) =>
    body["stream"] === true && (numberAt(body, "prompt_logprobs") ?? 0) > 0
      ? plain("prompt_logprobs are not available when stream=true.", "prompt_logprobs")
      : undefined,
  (body) => {
    const [key] = Object.keys(objectAt(body, "logit_bias") ?? {}).filter((name) => !/^\d+$/.test(name));
    const says = `Invalid key in 'logit_bias': '${key}' is not a valid token ID. Token IDs must be non-negative integers.`;
    return key === undefined ? undefined : plain(says, "logit_bias");
  },
  (body) => {
    const kinds = ["json", "regex", "choice", "grammar"].filter(
      (kind) => objectAt(body, "structured_outputs")?.[kind] != null,
    );
    const says = `invalid structured_outputs: invalid structured outputs params: multiple structured output constraints specified: ${kinds.join(", ")}`;
    return kinds.length > 1 ? plain(says, "structured_outputs") : undefined;
  },
  (body) =>
    body["add_generation_prompt"] === true && body["continue_final_message"] === true
      ? plain("Cannot set both `continue_final_message` and `add_generation_prompt` to True.")
      : undefined,
  (body) =>
    numberAt(body, "repetition_penalty") === 0 ? plain("repetition_penalty must be in (0, inf), got 0") : undefined,
  toolChoice,
  (body, { model }) => {
    const parsers = model.switches.parsers ?? "both";
    const wanted = listAt(body, "tools").length > 0 && body["tool_choice"] !== "none";
    const message = "failed to submit chat request: tool parsing is disabled by frontend configuration";
    return wanted && (parsers === "none" || parsers === "reasoning") ? { status: 500, message } : undefined;
  },
  (body) => {
    const parts = listAt(body, "messages").flatMap((message) => listAt(message, "content"));
    const media = parts
      .map((part) => stringAt(part, "type") ?? "")
      .find((type) => /^(image|audio|video|input)_/.test(type));
    return media === undefined ? undefined : plain(`unsupported multimodal content: ${media}`);
  },
  (body) =>
    body["chat_template"] != null
      ? plain("text request `chatcmpl-9de60ae1` must contain at least one prompt token ID")
      : undefined,
  tooLong,
  (body) => {
    const ids = Object.keys(objectAt(body, "logit_bias") ?? {}).filter((key) => Number(key) >= VOCABULARY);
    const says = `token_id(s) [${ids.join(", ")}] in logit_bias are out of vocabulary. Vocabulary size: ${VOCABULARY}`;
    return ids.length > 0 ? plain(says) : undefined;
  },
  (body) => {
    const top = numberAt(body, "top_logprobs") ?? 0;
    return manyLogprobs(top === -1 ? VOCABULARY : top);
  },
  (body) => {
    const format = objectAt(body, "response_format");
    const grammar = unknownType(objectAt(objectAt(format, "json_schema"), "schema")) !== undefined;
    const bare = format?.["type"] === "structural_tag" && format["format"] === undefined;
    return grammar || bare ? { status: 500, message: "Internal server error", when: "after-role" } : undefined;
  },
];

function toolChoice(body: JsonObject): Refusal | undefined {
  const choice = body["tool_choice"];
  if (choice === undefined || choice === null || choice === "none") return undefined;
  const tools = listAt(body, "tools");
  if (tools.length === 0) return plain("tool_choice requires at least one available tool");
  const name = stringAt(objectAt(choice, "function"), "name");
  const known = tools.some((tool) => stringAt(objectAt(tool, "function"), "name") === name);
  return name === undefined || known
    ? undefined
    : plain(`tool_choice function \`${name}\` was not found in the available tools`);
}
