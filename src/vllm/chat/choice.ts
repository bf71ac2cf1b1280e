/**
 * One choice of a chat stream: exactly one role start, then reasoning, text and tool calls in their strict form, then
 * exactly one finish, in a chunk of its own.
 */
import { GatewayError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json/object.ts";
import { unreadable, type Choice } from "../choice.ts";
import { finishFailure, readFinish } from "../finish.ts";
import { isReadable, saysSomething, textLength, withBothReasonings, withoutFunctionCall } from "./delta.ts";
import type { Waiting } from "../riders.ts";
import { chatFinish } from "./finish.ts";
import { ToolCalls, type ToolCallParts } from "./tool-calls.ts";

type Output = JsonObject | GatewayError;

export class ChatChoice implements Choice {
  phase: "silent" | "started" | "finished" = "silent";
  /** Characters of text, reasoning and arguments that have come. */
  textLength = 0;
  readonly #index: number;
  readonly #calls: ToolCalls;

  constructor(index: number, parts: ToolCallParts, waiting?: Waiting) {
    this.#index = index;
    this.#calls = new ToolCalls(parts, waiting);
  }

  opensOnly(choice: JsonObject): boolean {
    if (readFinish(choice["finish_reason"]) !== undefined || rides(choice)) return false;
    return !isObject(choice["delta"]) || !saysSomething(choice["delta"]);
  }

  /**
   * Returns the choices to send for one that came, each for a chunk of its own: the very same object where it is right
   * as it is, none where nothing of it is left. What rides on a choice (log-probabilities, token ids, fields that we do
   * not know) stays with its first delta.
   */
  push(choice: JsonObject): Output[] {
    if (this.phase === "finished") return [];
    if (!isReadable(choice["delta"])) return [unreadable()];
    const came = isObject(choice["delta"]) ? choice["delta"] : undefined;
    const told = choice["finish_reason"];
    const reason = readFinish(told);
    if (came) this.textLength += textLength(came);
    const out: Output[] = this.phase === "silent" && !came?.["role"] ? [this.#start()] : [];
    const deltas = this.#deltas(came ?? {});
    const first = deltas[0] ?? {};
    this.phase = "started";
    const same = first === came && choice["index"] === this.#index;
    if (same && deltas.length === 1 && (told === undefined || told === null)) {
      out.push(choice);
      return out;
    }
    if (first instanceof GatewayError) return [...out, first];
    const says = saysSomething(first) || !!first["role"];
    if (reason !== undefined && !says && deltas.length <= 1) {
      return [...out, ...this.#finish(reason, same ? choice : { ...choice, index: this.#index, delta: {} })];
    }
    if (says || rides(choice)) out.push(this.#unfinished(choice, first));
    for (const delta of deltas.slice(1)) {
      if (delta instanceof GatewayError) return [...out, delta];
      out.push(this.#make(delta));
    }
    return reason === undefined ? out : [...out, ...this.#finish(reason, this.#last(choice))];
  }

  complete(limited: boolean): Output[] {
    const opening = this.phase === "silent" ? [this.#start()] : [];
    const reason = chatFinish(undefined, { called: this.#calls.any, limited });
    return [...opening, ...this.#finish(reason, this.#make({}))];
  }

  #start(): JsonObject {
    return this.#make({ role: "assistant", content: "" });
  }

  /** Returns what is left to say, and `last` with the finish reason as it ought to be; or the failure that it stands for. */
  #finish(reason: string, last: JsonObject): Output[] {
    const failure = finishFailure(reason);
    // A call that was cut must not be made to look whole.
    const rest = this.#close(reason !== "length" && !failure);
    if (failure) return [...rest.filter((output) => !(output instanceof GatewayError)), failure];
    if (rest.at(-1) instanceof GatewayError) return rest;
    const right = chatFinish(reason, { called: this.#calls.any, limited: false });
    return [...rest, last["finish_reason"] === right ? last : { ...last, finish_reason: right }];
  }

  #close(whole: boolean): Output[] {
    this.phase = "finished";
    const rest = this.#calls.close(whole);
    return rest.map((entry) => (entry instanceof GatewayError ? entry : this.#make({ tool_calls: [entry] })));
  }

  /** Returns the delta that came, or those that it has to become, the role's start first and each call in its own. */
  #deltas(came: JsonObject): Output[] {
    let delta = withBothReasonings(withoutFunctionCall(came, FIRST_CALL));
    if (this.phase !== "silent" && delta["role"]) {
      const { role: _again, ...rest } = delta;
      delta = rest;
    }
    const { tool_calls: calls } = delta;
    if (!Array.isArray(calls) || calls.length === 0) return [delta];
    const entries = this.#calls.push(calls);
    if (calls.length === 1 && entries.length === 1 && entries[0] === calls[0]) return [delta];
    const { tool_calls: _loose, ...rest } = delta;
    const text = saysSomething(rest) || rest["role"] ? [rest] : [];
    return [...text, ...entries.map((entry) => (entry instanceof GatewayError ? entry : { tool_calls: [entry] }))];
  }

  #make(delta: JsonObject): JsonObject {
    return { index: this.#index, delta, logprobs: null, finish_reason: null };
  }

  #unfinished(choice: JsonObject, delta: JsonObject): JsonObject {
    const { stop_reason: _later, ...rest } = choice;
    return { ...rest, index: this.#index, delta, finish_reason: null };
  }

  #last(choice: JsonObject): JsonObject {
    const last = this.#make({});
    return "stop_reason" in choice ? { ...last, stop_reason: choice["stop_reason"] } : last;
  }
}

const FIRST_CALL = { index: 0 };

const OWN_FIELDS = new Set(["index", "delta", "finish_reason", "stop_reason"]);

function rides(choice: JsonObject): boolean {
  for (const key in choice) if (choice[key] !== null && !OWN_FIELDS.has(key)) return true;
  return false;
}
