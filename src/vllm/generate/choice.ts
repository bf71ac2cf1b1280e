/**
 * One choice of a generate stream. Its chunks pass as they are: every finish counts, none is invented, none is split, and
 * nothing follows it.
 */
import type { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json/object.ts";
import { unreadable, type Choice } from "../choice.ts";
import { readFinish } from "../finish.ts";
import { cutStream } from "../repair.ts";

export class GenerateChoice implements Choice {
  phase: "silent" | "started" | "finished" = "silent";
  /** Token ids are counted, never estimated from text. */
  readonly textLength = 0;

  opensOnly({ token_ids: ids, finish_reason: reason }: JsonObject): boolean {
    return readFinish(reason) === undefined && !(Array.isArray(ids) && ids.length > 0);
  }

  push(choice: JsonObject): (JsonObject | GatewayError)[] {
    const { token_ids: ids, finish_reason: told } = choice;
    if (!Array.isArray(ids) && ids !== null && ids !== undefined) return [unreadable()];
    const finished = readFinish(told) !== undefined;
    this.phase = finished ? "finished" : "started";
    if (!finished && !Array.isArray(ids) && !rides(choice)) return [];
    return [told === "" ? { ...choice, finish_reason: null } : choice];
  }

  complete(): GatewayError[] {
    this.phase = "finished";
    return [cutStream()];
  }
}

/** Without ids and without a finish a chunk says nothing, unless something else is on it. */
function rides(choice: JsonObject): boolean {
  for (const key in choice) if (choice[key] !== null && key !== "index" && key !== "finish_reason") return true;
  return false;
}
