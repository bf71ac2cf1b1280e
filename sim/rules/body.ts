import type { Failure } from "../dialects/dialect.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { DialectName } from "../model.ts";

/** The request's body as an object, or how the dialect refuses it. */
export function readBody(
  text: string,
  contentType: string | undefined,
  dialect: DialectName,
): { body: JsonObject } | { failure: Failure } {
  if (contentType === undefined || !/^application\/(.*\+)?json\b/i.test(contentType)) {
    return {
      failure:
        dialect === "python"
          ? python("Unsupported Media Type: Only 'application/json' is allowed", undefined)
          : rust("Expected request with `Content-Type: application/json`"),
    };
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { failure: dialect === "python" ? brokenPython(text) : brokenRust(text) };
  }
  if (isObject(body)) return { body };
  const says = "Input should be a valid dictionary or object to extract fields from";
  const input = Array.isArray(body) ? `<list of ${body.length} items>` : JSON.stringify(body);
  return {
    failure:
      dialect === "python"
        ? python(`{'type': 'model_attributes_type', 'loc': 'body', 'msg': '${says}', 'input': '${input}'}`, "body")
        : rust("Failed to deserialize the JSON body into the target type: invalid type at line 1 column 2"),
  };
}

function brokenPython(text: string): Failure {
  if (text === "")
    return python("{'type': 'missing', 'loc': 'body', 'msg': 'Field required', 'input': 'None'}", "body");
  const loc = `body.${text.length}`;
  const details = "'input': '<dict of 0 items>', 'ctx': {'error': 'Expecting value'}";
  return python(`{'type': 'json_invalid', 'loc': '${loc}', 'msg': 'JSON decode error', ${details}}`, loc);
}

function brokenRust(text: string): Failure {
  const place = `EOF while parsing a value at line 1 column ${text.length}`;
  return rust(`Failed to parse the request body as JSON: ${place}`);
}

function python(says: string, param: string | undefined): Failure {
  const message = `1 validation error:\n  ${says}`;
  return { status: 400, message, type: "Bad Request", ...(param === undefined ? {} : { param }) };
}

function rust(message: string): Failure {
  return { status: 400, message, code: "json_parse_error" };
}
