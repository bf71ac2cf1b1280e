import { expect } from "vitest";

/** What the Worker opens the origin with. */
export const ORIGIN_KEY = "sk-origin-secret-7d1f0c";

/** All that a response of ours may have, whatever the origin's had. */
const OUR_HEADERS = [
  "allow",
  "cache-control",
  "connection",
  "content-length",
  "content-type",
  "request-id",
  "retry-after",
  "retry-after-ms",
  "transfer-encoding",
  "x-accel-buffering",
  "x-request-id",
  "x-should-retry",
];

/** Addresses, paths, names of code and shapes of traces that the simulated origin is known to say. */
const INSIDES = [
  ["127.0.0.1", "localhost", "internal.example", "10.1.2.3", "gpu-7", "nginx", "cf-ray", "uvicorn", "set-cookie"],
  ["Traceback", 'File "', "/opt/", "/model", "vllm/", "async_llm", "RuntimeError", "CUDA", "EngineCore", "0x7f"],
  ["pydantic", "fastapi", "starlette", "BadRequestError", "InternalServerError", "(parameter=", "validation error"],
  ["untagged enum", "Validation error", "Number(", "at line ", "serde", "axum", "tokio", "expected struct"],
  ["x-origin-padding", "pppppppp", "<html", "<!doctype", "Unauthorized", "Forbidden", "sim/say", ORIGIN_KEY],
].flat();

interface RawResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** No response may tell of the origin: neither its head nor a byte of its body. */
export function expectNoLeak({ headers, body }: RawResponse, originPort: number): void {
  expect(Object.keys(headers).filter((name) => !OUR_HEADERS.includes(name))).toEqual([]);
  const all = `${JSON.stringify(headers)}\n${body}`;
  expect([...INSIDES, `:${originPort}`].filter((inside) => all.includes(inside))).toEqual([]);
}
