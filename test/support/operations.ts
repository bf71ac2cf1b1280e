/** The calls of completions and generate, and what comes of them. */
import { readJson } from "../../src/protocols/read-json.ts";
import { GatewayError } from "../../src/core/errors.ts";
import type { JsonObject } from "../../src/core/json/object.ts";
import { readCompletion } from "../../src/protocols/completions/read.ts";
import { readGenerate } from "../../src/protocols/generate/read.ts";
import type { Call } from "../../src/protocols/protocol.ts";
import type { Repair } from "../../src/vllm/repair.ts";
import { callParts } from "./replay.ts";

export function readCompletions(request: string): Call {
  return readCompletion(readJson(request), callParts());
}

/** `models`: those that are served, where a list could be had. */
export function readGeneration(request: string, models?: readonly string[]): Call {
  const served = models?.map((model) => [model, { maxModelLen: undefined }] as const);
  return readGenerate(readJson(request), callParts(served && new Map(served)));
}

/** Returns how `read` refuses, in one line, or that it does not. */
export function refusalOf(read: () => unknown): string {
  try {
    read();
    return "passes";
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    return oneLine(thrown);
  }
}

/** Returns `code status param message`, a param that is none as `-`. */
export function oneLine({ code, status, param, message }: GatewayError): string {
  return `${code} ${status} ${param ?? "-"} ${message}`;
}

export interface Sent {
  /** The chunks; a failure is its code alone. */
  readonly sent: readonly (JsonObject | string)[];
  /** Whether each chunk left as the bytes that came. */
  readonly untouched: readonly boolean[];
  readonly phase: string;
  readonly tokens: unknown;
}

/** Pushes `chunks`, and then what ends the stream. */
export function pushAll(
  repair: Repair,
  chunks: readonly JsonObject[],
  end: "terminator" | "end" | "nothing" = "terminator",
): Sent {
  const bytes = new Uint8Array(1);
  const outputs = chunks.flatMap((json) => repair.push({ json, bytes }));
  if (end === "terminator") outputs.push(...repair.terminate());
  if (end === "end") outputs.push(...repair.end());
  return {
    sent: outputs.map((output) => (output instanceof GatewayError ? output.code : output.json)),
    untouched: outputs.map((output) => !(output instanceof GatewayError) && output.bytes === bytes),
    phase: repair.phase,
    tokens: repair.tokens,
  };
}
