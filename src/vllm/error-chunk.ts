import type { JsonObject } from "../core/json/object.ts";

/**
 * Returns what an origin reports as its error in a chunk or a body, or `undefined` when it reports none. Current vLLMs
 * put it under `error`; older ones, and proxies, send it flat.
 */
export function errorIn(json: JsonObject): unknown {
  if (json["error"]) return json["error"];
  if ("choices" in json) return undefined;
  const { object, message, code, type, detail } = json;
  const flat = typeof message === "string" && (code !== undefined || type !== undefined);
  return object === "error" || flat || detail !== undefined ? json : undefined;
}
