import type { GatewayError } from "../core/errors.ts";
import { readTrace } from "../core/trace.ts";
import { writeOpenAIError } from "../protocols/openai-error.ts";
import type { Gateway, Invocation } from "./gateway.ts";
import { report } from "./report.ts";
import { respondError } from "./respond.ts";

/** Answers a request that belongs to no operation with `error` in OpenAI's shape; it is logged as any other. */
export function refuse(
  error: GatewayError,
  request: Request,
  gateway: Gateway,
  invocation: Invocation,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const id = gateway.newId("req_");
  const trace = readTrace(request.headers, gateway.newId);
  const record = { id, operation: "none", trace, startedAt: gateway.clock.now(), status: error.status };
  report(record, { kind: "failed", error }, gateway, invocation);
  const response = respondError(error, writeOpenAIError(error), id);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
