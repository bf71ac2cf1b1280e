/** One choice of a completions stream: text, then exactly one finish, in a chunk of its own when text came with it. */
import type { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json/object.ts";
import { unreadable, type Choice } from "../choice.ts";
import { finishFailure, readFinish } from "../finish.ts";

export class CompletionChoice implements Choice {
  phase: "silent" | "started" | "finished" = "silent";
  textLength = 0;
  readonly #index: number;

  constructor(index: number) {
    this.#index = index;
  }

  opensOnly({ text, finish_reason: reason, logprobs, token_ids: ids }: JsonObject): boolean {
    return !text && readFinish(reason) === undefined && !logprobs && !(Array.isArray(ids) && ids.length > 0);
  }

  push(choice: JsonObject): (JsonObject | GatewayError)[] {
    this.phase = "started";
    const { text, finish_reason: told } = choice;
    if (typeof text !== "string" && text !== null && text !== undefined) return [unreadable()];
    if (typeof text === "string") this.textLength += text.length;
    const right = typeof text === "string" && choice["index"] === this.#index;
    const strict = right ? choice : { ...choice, index: this.#index, text: typeof text === "string" ? text : "" };
    const reason = readFinish(told);
    if (reason === undefined)
      return [told === undefined || told === null ? strict : { ...strict, finish_reason: null }];
    this.phase = "finished";
    const failure = finishFailure(reason);
    if (!text) return [failure ?? strict];
    const said = { ...strict, finish_reason: null, ...("stop_reason" in choice ? { stop_reason: null } : {}) };
    return [said, failure ?? this.#last(reason, choice)];
  }

  complete(limited: boolean): JsonObject[] {
    this.phase = "finished";
    return [this.#last(limited ? "length" : "stop", {})];
  }

  #last(reason: string, choice: JsonObject): JsonObject {
    const last = { index: this.#index, text: "", logprobs: null, finish_reason: reason };
    return "stop_reason" in choice ? { ...last, stop_reason: choice["stop_reason"] } : last;
  }
}
