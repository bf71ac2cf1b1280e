/** What the origin is told of a request: an allow-list, so that nothing of the client's passes by accident. */
import type { Config } from "../config/config.ts";
import { traceHeaders, type Trace } from "../core/trace.ts";

/**
 * Returns the headers of a request to an origin. The id is ours: vLLM makes the client-visible id of it, and a client's
 * own would reach the engine's request table. `identity`: a compressed stream would be held back by its compressor.
 */
export function originHeaders(config: Config, requestId: string, trace: Trace, accept: string): Headers {
  return new Headers({
    ...config.originHeaders,
    ...traceHeaders(trace),
    accept,
    "accept-encoding": "identity",
    "content-type": "application/json",
    "user-agent": "sluice",
    "x-request-id": requestId,
  });
}
