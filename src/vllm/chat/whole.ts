/** A whole chat answer, by the same rules as a stream: one name for the model, reasoning under both keys, strict calls. */
import type { GatewayError } from "../../core/errors.ts";
import type { NewId } from "../../core/ids.ts";
import { isObject, type JsonObject } from "../../core/json/object.ts";
import { finishFailure, readFinish } from "../finish.ts";
import { repairWhole } from "../whole.ts";
import { textLength, withBothReasonings, withoutFunctionCall } from "./delta.ts";
import type { ChatRepairParts } from "./repair.ts";
import { readFragment } from "./tool-fragment.ts";

type Output = JsonObject | GatewayError;

/** Returns the answer itself where it is right as it is, else a repaired copy; or the failure that it stands for. */
export function repairWholeChat(answer: JsonObject, parts: ChatRepairParts): Output {
  return repairWhole(answer, parts, {
    repairChoice: (choice, at, limited) => repairChoice(choice, at, limited, parts),
    lengthOf: ({ message }) => (isObject(message) ? textLength(message) : 0),
  });
}

function repairChoice(choice: JsonObject, at: number, limited: boolean, parts: ChatRepairParts): Output {
  const came = isObject(choice["message"]) ? choice["message"] : undefined;
  const told = readFinish(choice["finish_reason"]);
  const message = repairMessage(came ?? {}, told !== "length", parts);
  const calls = message["tool_calls"];
  const called = Array.isArray(calls) && calls.length > 0;
  const reason = told ?? (limited && !called ? "length" : "stop");
  const failure = finishFailure(reason);
  if (failure) return failure;
  const finish = called && (reason === "stop" || reason === "function_call") ? "tool_calls" : reason;
  const index = Number.isInteger(choice["index"]) ? choice["index"] : at;
  if (message === came && finish === choice["finish_reason"] && index === choice["index"]) return choice;
  return { ...choice, index, message, finish_reason: finish };
}

/** `whole` says that no limit has cut the calls. */
function repairMessage(came: JsonObject, whole: boolean, { single, newId }: ChatRepairParts): JsonObject {
  const message = withBothReasonings(withoutFunctionCall(came, {}));
  const named = message["role"] ? message : { role: "assistant", ...message };
  const calls = named["tool_calls"];
  if (!Array.isArray(calls)) return named;
  const entries = calls.filter((entry) => isObject(entry)).slice(0, single ? 1 : undefined);
  const strict = entries.map((entry) => strictCall(entry, whole, newId));
  const same = strict.length === calls.length && strict.every((entry, at) => entry === calls[at]);
  return same ? named : { ...named, tool_calls: strict };
}

function strictCall(entry: JsonObject, whole: boolean, newId: NewId): JsonObject {
  const { id, name = "", args } = readFragment(entry);
  const fn = isObject(entry["function"]) ? entry["function"] : {};
  const text = whole && args.trim() === "" ? "{}" : args;
  if (id !== undefined && entry["type"] === "function" && fn["name"] === name && fn["arguments"] === text) return entry;
  return { ...entry, id: id ?? newId("call_"), type: "function", function: { ...fn, name, arguments: text } };
}
