import type { JsonObject } from "../core/json/object.ts";
import { formatData } from "../sse/format.ts";

/** The JSON object of a frame, and the frame's bytes for as long as nothing in it has been changed. */
export interface Chunk {
  readonly json: JsonObject;
  readonly bytes: Uint8Array | undefined;
}

/** Returns the frame that carries `chunk`: the bytes that came where it is unchanged. */
export function formatChunk({ json, bytes }: Chunk): Uint8Array {
  return bytes ?? formatData(JSON.stringify(json));
}
