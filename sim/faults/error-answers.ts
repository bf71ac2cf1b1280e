import type { Json } from "../json.ts";
import type { Header, Step } from "../steps.ts";
import { DIALECTS } from "../dialects/index.ts";
import { SCALE_OUT_OFF } from "../generate/scale-out.ts";
import { instead, type Fault, type FaultTable } from "./fault.ts";
import { typed } from "./no-answer.ts";

const RETRY_AFTER: Header = ["retry-after", "7"];

/** Errors with their own status, before any streamed head. */
export const ERROR_ANSWERS: FaultTable = {
  "error-python": {
    ...instead("400 in the Python server's shape.", () => [
      json(400, DIALECTS.python.error(TEMPERATURE), DIALECTS.python.jsonHeaders),
    ]),
    dialect: "python",
  },
  "error-rust": {
    ...instead("400 in the Rust front end's shape.", () => [
      json(
        400,
        DIALECTS.rust.error({
          status: 400,
          message: 'temperature: Validation error: range [{"value": Number(-1.0), "min": Number(0.0)}]',
        }),
        DIALECTS.rust.jsonHeaders,
      ),
    ]),
    dialect: "rust",
  },
  "error-string": instead('503 `{"error":"…"}` with retry-after; `?as=text`: plain text.', ({ switches, dialect }) =>
    switches.as === "text"
      ? [json(503, "Service Unavailable", [...typed("text/plain"), RETRY_AFTER])]
      : [
          json(503, { error: "The model is currently scaling. Please try again later." }, [
            ...dialect.jsonHeaders,
            RETRY_AFTER,
          ]),
        ],
  ),
  "error-429": instead("429 with retry-after and rate-limit headers.", ({ dialect }) => [
    json(429, dialect.error({ status: 429, message: "Too many requests.", type: "RateLimitError" }), [
      ...dialect.jsonHeaders,
      RETRY_AFTER,
      ["retry-after-ms", "7000"],
      ["x-ratelimit-limit-requests", "60"],
      ["x-ratelimit-remaining-requests", "0"],
      ["x-ratelimit-reset-requests", "7s"],
    ]),
  ]),
  "error-401": instead("401 as for a wrong key; `?status=403`: a 403 that names no switch.", ({ switches, dialect }) =>
    switches.status === 403
      ? [json(403, { error: "Forbidden" }, dialect.jsonHeaders)]
      : [json(401, { error: "Unauthorized" }, dialect.jsonHeaders)],
  ),
  "error-404-empty": instead("404 without a body.", ({ dialect }) => [json(404, undefined, dialect.emptyHeaders)]),
  "error-404-detail": instead('404 `{"detail":"Not Found"}`.', ({ dialect }) => [
    json(404, { detail: "Not Found" }, dialect.jsonHeaders),
  ]),
  "error-403-switch": instead("403 naming the switch that turns the route on.", ({ dialect }) => [
    json(403, dialect.error(SCALE_OUT_OFF), dialect.jsonHeaders),
  ]),
  "error-52x": instead("524 of a CDN between; `?status=` 520 to 530.", ({ switches }) => {
    const status = switches.status ?? 524;
    return [json(status, page(`Error ${status}`, "The web server 10.1.2.3 reported an unknown error."), cdn())];
  }),
  "error-404-model": instead("404 for a model that the server does not know.", ({ dialect }) => [
    json(404, dialect.error({ status: 404, message: UNKNOWN_MODEL, param: "model" }), dialect.jsonHeaders),
  ]),
  "error-html": instead("502 with an HTML page.", () => [
    json(502, page("502 Bad Gateway", "nginx/1.27 at gpu-7.internal.example"), typed("text/html")),
  ]),
  "error-500-stack": instead("500 with a stack trace in its message.", ({ dialect }) => [
    json(500, dialect.error({ status: 500, message: STACK }), dialect.jsonHeaders),
  ]),
  "error-503-dead": instead("503 without a body: the engine is dead.", ({ dialect }) => [
    json(503, undefined, dialect.emptyHeaders),
  ]),
} satisfies Record<string, Fault>;

const TEMPERATURE = {
  status: 400,
  message: "temperature must be non-negative, got -1.0. (parameter=temperature, value=-1.0)",
  param: "temperature",
};

const UNKNOWN_MODEL = "The model `nope` does not exist.";

const STACK = [
  "Traceback (most recent call last):",
  '  File "/opt/vllm/vllm/v1/engine/async_llm.py", line 512, in generate',
  "    out = q.get_nowait() or await q.get()",
  "RuntimeError: CUDA error: an illegal memory access was encountered at 0x7f3a5c0",
].join("\n");

function json(status: number, body: Json | undefined, headers: readonly Header[]): Step {
  return { do: "reply", status, headers, body };
}

function page(title: string, text: string): string {
  return `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
}

function cdn(): Header[] {
  return [...typed("text/html; charset=UTF-8"), ["cf-ray", "8f00ba4-SIM"]];
}
