import { listAt, numberAt, objectAt, stringAt } from "../json.ts";
import { promptLogprobs, streamOptions } from "./python-both.ts";
import { plain, bad } from "./python-refusals.ts";
import type { Rule } from "./rule.ts";

/** What the validators of chat's fields refuse. */
export const FIELDS: readonly Rule[] = [
  streamOptions,
  (body) =>
    Array.isArray(body["tools"]) && body["tools"].length === 0
      ? bad("`tools` must not be an empty array. Either provide at least one tool or omit the field entirely.", "tools")
      : undefined,
  (body) => {
    const choice = body["tool_choice"];
    if (choice === undefined || choice === null || choice === "none") return undefined;
    const tools = listAt(body, "tools");
    if (tools.length === 0) return bad("When using `tool_choice`, `tools` must be set.", "tool_choice");
    if (typeof choice === "string" && choice !== "auto" && choice !== "required") {
      const allowed = 'Only named tools, "none", "auto" or "required" are supported.';
      return bad(`Invalid value for \`tool_choice\`: ${choice}! ${allowed}`, "tool_choice");
    }
    const name = stringAt(objectAt(choice, "function"), "name");
    const known = tools.some((tool) => stringAt(objectAt(tool, "function"), "name") === name);
    return name === undefined || known
      ? undefined
      : bad("The tool specified in `tool_choice` does not match any of the specified `tools`", "tool_choice");
  },
  (body) =>
    (numberAt(body, "top_logprobs") ?? 0) !== 0 && body["logprobs"] !== true
      ? bad("when using `top_logprobs`, `logprobs` must be set to true.", "top_logprobs")
      : undefined,
  promptLogprobs,
  (body) => {
    const format = objectAt(body, "response_format");
    if (format?.["type"] === "json_schema" && format["json_schema"] === undefined) {
      const says = "When response_format type is 'json_schema', the 'json_schema' field must be provided.";
      return bad(says, "response_format");
    }
    return format?.["type"] === "structural_tag" && format["format"] === undefined && format["structures"] === undefined
      ? bad("Invalid response_format structural_tag specification.", "response_format")
      : undefined;
  },
  (body) => {
    const kinds = ["json", "regex", "choice"].filter((kind) => objectAt(body, "structured_outputs")?.[kind] != null);
    const says = "You can only use one kind of constraints for structured outputs ('json', 'regex' or 'choice').";
    return kinds.length > 1 ? plain(says) : undefined;
  },
  (body) =>
    body["cache_salt"] === ""
      ? bad("Parameter 'cache_salt' must be a non-empty string if provided.", "cache_salt")
      : undefined,
  (body) =>
    body["add_generation_prompt"] === true && body["continue_final_message"] === true
      ? plain("Cannot set both `continue_final_message` and `add_generation_prompt` to True.")
      : undefined,
];
