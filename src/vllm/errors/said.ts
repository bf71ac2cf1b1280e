/**
 * What an origin's error body or error event says, whatever its shape: vLLM has had several, and what stands between
 * may answer with a page or with nothing.
 */

/** A longer message is one that echoes the request; what matters stands at its start. */
export const MAX_MESSAGE = 8 * 1024;
/** A place in the request has few steps. */
const MAX_STEPS = 32;

export interface Said {
  /** The origin's own words, not fit for a client as they are; empty where there are none. */
  readonly message: string;
  readonly type: string | undefined;
  readonly param: string | undefined;
  readonly code: string | number | undefined;
}

/** Returns what a response body says. A page (HTML), an empty body and JSON of no known shape say nothing. */
export function readErrorBody(body: string): Said {
  const text = body.trim();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return readError(text.startsWith("<") ? undefined : text);
  }
  if (!isRecord(json)) return readError(typeof json === "string" ? json : undefined);
  if (isRecord(json["error"]) || typeof json["error"] === "string") return readError(json["error"]);
  if (json["detail"] !== undefined) return readDetail(json["detail"]);
  return readError(json);
}

/** Returns what the `error` member says, an object or a string; anything else says nothing. */
export function readError(error: unknown): Said {
  if (!isRecord(error)) return { message: words(error) ?? "", type: undefined, param: undefined, code: undefined };
  const code = error["code"];
  return {
    message: words(error["message"]) ?? "",
    type: words(error["type"]),
    param: words(error["param"]),
    code: typeof code === "string" || typeof code === "number" ? code : undefined,
  };
}

/** FastAPI's own shape: a sentence, or a list of complaints of which the first is told. */
function readDetail(detail: unknown): Said {
  const first: unknown = Array.isArray(detail) ? detail[0] : undefined;
  if (!isRecord(first)) return readError(detail);
  const path = first["loc"];
  return readError({ message: first["msg"], param: Array.isArray(path) ? place(path) : undefined });
}

function place(path: readonly unknown[]): string {
  const steps = path.slice(0, MAX_STEPS).filter((step) => typeof step === "string" || typeof step === "number");
  return steps.join(".");
}

function words(value: unknown): string | undefined {
  return typeof value === "string" ? value.slice(0, MAX_MESSAGE) : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
