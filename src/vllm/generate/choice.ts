/**
 * One choice of a generate stream. Its chunks pass as they are: every finish counts, none is invented, none is split, and
 * nothing follows it.
 */
import type { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json/object.ts";
import type { Choice } from "../choice.ts";
import { readFinish } from "../finish.ts";
import { cutStream } from "../repair.ts";

export class GenerateChoice implements Choice {
  phase: "silent" | "started" | "finished" = "silent";
  /** Token ids are counted, never estimated from text. */
  readonly textLength = 0;

  opensOnly({ token_ids: ids, finish_reason: reason }: JsonObject): boolean {
    return readFinish(reason) === undefined && !(Array.isArray(ids) && ids.length > 0);
  }

  push(choice: JsonObject): JsonObject[] {
    const finished = readFinish(choice["finish_reason"]) !== undefined;
    this.phase = finished ? "finished" : "started";
    // Without ids and without a finish a chunk says nothing, unless something rides on it.
    if (!finished && !Array.isArray(choice["token_ids"]) && !choice["logprobs"]) return [];
    return [choice["finish_reason"] === "" ? { ...choice, finish_reason: null } : choice];
  }

  complete(): GatewayError[] {
    this.phase = "finished";
    return [cutStream()];
  }
}
