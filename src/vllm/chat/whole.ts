/** A whole chat answer, by the same rules as a stream: one name for the model, reasoning under both keys, strict calls. */
import { GatewayError } from "../../core/errors.ts";
import type { NewId } from "../../core/ids.ts";
import { isObject, type JsonObject } from "../../core/json/object.ts";
import { unreadable } from "../choice.ts";
import { finishFailure, readFinish } from "../finish.ts";
import { isSame, repairWhole } from "../whole.ts";
import { isReadable, textLength, withBothReasonings, withoutFunctionCall } from "./delta.ts";
import { chatFinish } from "./finish.ts";
import type { ChatRepairParts } from "./repair.ts";
import { begins, readFragments, type Fragment } from "./tool-fragment.ts";

type Output = JsonObject | GatewayError;

/** Returns the answer itself where it is right as it is, else a repaired copy; or the failure that it stands for. */
export function repairWholeChat(answer: JsonObject, parts: ChatRepairParts): Output {
  return repairWhole(answer, parts, {
    repairChoice: (choice, limited) => repairChoice(choice, limited, parts),
    lengthOf: ({ message }) => (isObject(message) ? textLength(message) : 0),
  });
}

function repairChoice(choice: JsonObject, limited: boolean, parts: ChatRepairParts): Output {
  const { message: came } = choice;
  if (!isObject(came) || !isReadable(came)) return unreadable();
  const told = readFinish(choice["finish_reason"]);
  const message = repairMessage(came, told !== "length", parts);
  if (message instanceof GatewayError) return message;
  const calls = message["tool_calls"];
  const failure = told === undefined ? undefined : finishFailure(told);
  if (failure) return failure;
  const finish = chatFinish(told, { called: Array.isArray(calls) && calls.length > 0, limited });
  if (message === came && finish === choice["finish_reason"]) return choice;
  return { ...choice, message, finish_reason: finish };
}

/** `whole` says that no limit has cut the calls. */
function repairMessage(came: JsonObject, whole: boolean, { single, newId }: ChatRepairParts): Output {
  const message = withBothReasonings(withoutFunctionCall(came, {}));
  const named = message["role"] ? message : { role: "assistant", ...message };
  const calls = named["tool_calls"];
  if (!Array.isArray(calls)) return named;
  const fragments = readFragments(calls);
  if (!fragments) return unreadable();
  const said = fragments.filter((fragment) => begins(fragment)).slice(0, single ? 1 : undefined);
  if (said.some(({ name }) => name === undefined)) return unreadable();
  const strict = said.map((fragment) => strictCall(fragment, whole, newId));
  return isSame(strict, calls) ? named : { ...named, tool_calls: strict };
}

function strictCall({ entry, id, name, args }: Fragment, whole: boolean, newId: NewId): JsonObject {
  const fn = isObject(entry["function"]) ? entry["function"] : {};
  const text = whole && args.trim() === "" ? "{}" : args;
  if (id !== undefined && entry["type"] === "function" && fn["name"] === name && fn["arguments"] === text) return entry;
  return { ...entry, id: id ?? newId("call_"), type: "function", function: { ...fn, name, arguments: text } };
}
