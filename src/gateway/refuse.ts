import type { GatewayError } from "../core/errors.ts";
import { writeOpenAIError } from "../protocols/openai-error.ts";
import type { Gateway } from "./gateway.ts";
import { writeLine } from "./log.ts";
import { respondError } from "./respond.ts";

/** Answers a request that belongs to no operation with `error` in OpenAI's shape; it is logged as any other. */
export function refuse(
  error: GatewayError,
  gateway: Gateway,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const id = gateway.newId("req_");
  const now = gateway.clock.now();
  gateway.log(
    writeLine({ id, operation: "none", startedAt: now, status: error.status }, { kind: "failed", error }, now),
  );
  const response = respondError(error, writeOpenAIError(error), id);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
