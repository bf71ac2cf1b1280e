/** The tools that the model may call, and how it is told to. */
import { isObject, type JsonObject } from "../../../core/json/object.ts";
import { refuse } from "../../../vllm/rules.ts";
import { quote } from "./block.ts";
import { broken, needName, needObject, readFlag, readList, readString } from "./fields.ts";

/**
 * Tools that a server of Anthropic's runs. They are left out and not refused: Claude Code adds them of itself now and
 * then, and has other ways where the model does not call them.
 */
const LEFT_OUT = /^(?:web_search|web_fetch|tool_search)(?:_|$)/;

/** Tools that the client runs, but whose schema only Anthropic's models know. */
const WITHOUT_SCHEMA = /^(?:bash|text_editor|memory|computer|browser)(?:_|$)/;

export interface Tools {
  /** In chat's form. */
  readonly list: readonly object[];
  readonly names: ReadonlySet<string>;
}

export function readTools(request: JsonObject): Tools {
  const list: object[] = [];
  const names = new Set<string>();
  for (const [at, tool] of readList(request, "tools", "").entries()) {
    const param = `tools[${at}]`;
    if (!isObject(tool)) throw refuse(param, `"${param}" must be an object.`);
    if (isLeftOut(tool, param)) continue;
    const name = needName(tool, "name", param);
    list.push({ type: "function", function: readFunction(tool, name, param) });
    names.add(name);
  }
  return { list, names };
}

/** Whether the tool is left out. Throws for one that is neither the client's own nor left out. */
function isLeftOut(tool: JsonObject, param: string): boolean {
  const type = readString(tool, "type", param) ?? "custom";
  if (type === "custom") return false;
  if (LEFT_OUT.test(type)) return true;
  if (WITHOUT_SCHEMA.test(type)) {
    throw broken(param, "type", `must not be ${quote(type)}: send it as a custom tool with its input_schema`);
  }
  throw broken(param, "type", `must not be ${quote(type)}: nothing here runs that tool`);
}

/** What else is said of a tool is about Anthropic's cache and its own ways to call it. */
function readFunction(tool: JsonObject, name: string, param: string): object {
  const description = readString(tool, "description", param);
  const parameters = needObject(tool, "input_schema", param);
  const strict = readFlag(tool, "strict", param);
  return {
    name,
    ...(description === undefined ? {} : { description }),
    parameters,
    ...(strict === undefined ? {} : { strict }),
  };
}
