import type { JsonObject } from "../../../core/json/object.ts";
import { refuse } from "../../../vllm/rules.ts";
import { broken, needName, readFlag, readObject } from "./fields.ts";
import type { Tools } from "./tools.ts";

export interface ToolChoice {
  /** In chat's form; `undefined` where there is none to send. */
  readonly choice: unknown;
  /** Whether only the first call is wanted. */
  readonly single: boolean;
}

/** Returns the choice among the tools that are sent. vLLM refuses any choice where there is no tool. */
export function readToolChoice(request: JsonObject, tools: Tools): ToolChoice {
  const asked = readObject(request, "tool_choice", "");
  if (!asked) return { choice: undefined, single: false };
  // Ours to keep: vLLM breaks the stream off where a model calls a second time all the same.
  const single = readFlag(asked, "disable_parallel_tool_use", "tool_choice") === true;
  const choice = readChoice(asked, tools);
  return tools.list.length > 0 ? { choice, single } : { choice: undefined, single: false };
}

function readChoice(asked: JsonObject, { list, names }: Tools): unknown {
  switch (asked["type"]) {
    case "auto":
    case "none":
      return asked["type"];
    case "any":
      if (list.length === 0) throw refuse("tool_choice", '"tool_choice" needs one of "tools" that can be called here.');
      return "required";
    case "tool": {
      const name = needName(asked, "name", "tool_choice");
      if (names.has(name)) return { type: "function", function: { name } };
      throw broken("tool_choice", "name", 'must be the name of one of "tools" that can be called here');
    }
    default:
      throw broken("tool_choice", "type", 'must be "auto", "any", "tool" or "none"');
  }
}
