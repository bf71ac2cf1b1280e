import { GatewayError } from "../core/errors.ts";
import { isObject, type JsonObject } from "../core/json/object.ts";

/** Returns the JSON object in a request's body. Of duplicate keys the last one counts. Throws `invalid_request` for anything else. */
export function readJson(body: string): JsonObject {
  let request: unknown;
  try {
    request = JSON.parse(body);
  } catch {
    throw new GatewayError("invalid_request", "The request body is not valid JSON.");
  }
  if (isObject(request)) return request;
  throw new GatewayError("invalid_request", "The request body must be a JSON object.");
}
