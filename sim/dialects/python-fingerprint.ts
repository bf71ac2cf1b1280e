import type { JsonObject } from "../json.ts";
import type { Answer } from "./wire.ts";

/** The fingerprint that stands on the last chunk with a choice, or on the usage chunk. */
export function fingerprint(answer: Answer): JsonObject {
  const value = answer.switches.fingerprint ?? "vllm-0.32.0-3195127f";
  return value === "none" ? {} : { system_fingerprint: value };
}
