import { GatewayError } from "../core/errors.ts";
import { isObject, type JsonObject } from "../core/json/object.ts";

/** A request's body: what it says, and the text that says it, which is what goes on to the origin. */
export interface JsonBody {
  readonly text: string;
  readonly json: JsonObject;
}

/** Returns the JSON object in a request's body. Of duplicate keys the last one counts. Throws `invalid_request` for anything else. */
export function readJson(text: string): JsonBody {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new GatewayError("invalid_request", "The request body is not valid JSON.");
  }
  if (isObject(json)) return { text, json };
  throw new GatewayError("invalid_request", "The request body must be a JSON object.");
}
