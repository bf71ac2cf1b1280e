/**
 * An origin is chosen and asked, with one more try where that is safe, and its head is judged: what comes out is the
 * body of a good answer, or a GatewayError.
 */
import type { Origin } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import { readText } from "../core/read-text.ts";
import { readErrorResponse } from "../vllm/errors.ts";
import { reword } from "../vllm/reword.ts";
import { choose, type Choosing } from "./choose.ts";
import type { Fetch } from "../core/fetch.ts";
import { send, type OriginRequest } from "./send.ts";

/** A connection that breaks this soon after the request was most likely a pooled one gone stale: vLLM drops idle ones after 5 s. */
const RETRY_WITHIN_MS = 1_000;
const MAX_ERROR_BYTES = 65_536;
/** Less than the hold is by default: an error's words must not cost its status. */
const ERROR_WITHIN_MS = 1_000;
const MAX_RETRY_AFTER_MS = 86_400_000;

export interface Exchange extends Choosing {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** The origin's own name of the model. */
  readonly model: string | undefined;
  readonly request: OriginRequest;
  readonly signal: AbortSignal;
  /** What a failure is told with: the client's own words for things. */
  readonly told: Told;
  /** The content type that a good answer has. */
  readonly expected: "text/event-stream" | "application/json";
  /** Called with each origin as it is asked. */
  readonly onAttempt?: (origin: Origin) => void;
}

export interface Told {
  /** The model as the client named it. */
  readonly model: string | undefined;
  /** The parameter under which an overflow of the context is reported. */
  readonly promptParam: string;
  /** The switch of vLLM's that turns the route on, where it is off by default. */
  readonly routeSwitch: string | undefined;
}

/** Returns the body of a 200 with the expected content type, or none stated. Throws a GatewayError otherwise. */
export async function exchange(parts: Exchange): Promise<ReadableStream<Uint8Array>> {
  const response = await sendTwice(parts);
  if (!response.ok) throw await readFailure(response, parts);
  const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== undefined && type !== "" && type !== parts.expected) {
    await response.body?.cancel();
    throw new GatewayError("origin_protocol", "The origin's answer is not of the kind that was asked for.");
  }
  if (!response.body) throw new GatewayError("origin_protocol", "The origin sent an answer without a body.");
  return response.body;
}

/** The second try goes to another origin if there is one; once a head has come, there is none. */
async function sendTwice(parts: Exchange): Promise<Response> {
  const first = choose(parts, parts.model);
  const startedAt = parts.clock.now();
  try {
    return await attempt(parts, first);
  } catch (failure) {
    if (parts.signal.aborted || parts.clock.now() - startedAt > RETRY_WITHIN_MS) throw failure;
    return attempt(parts, choose(parts, parts.model, first));
  }
}

async function attempt(parts: Exchange, origin: Origin): Promise<Response> {
  const { fetch, request, signal, health } = parts;
  parts.onAttempt?.(origin);
  try {
    const response = await send(origin.fetch ?? fetch, origin, request, signal);
    health.saw(origin.url, response.status < 500 || response.status === 501);
    return response;
  } catch (failure) {
    if (!signal.aborted) health.saw(origin.url, false);
    throw failure;
  }
}

async function readFailure(response: Response, { clock, model: named, told }: Exchange): Promise<GatewayError> {
  const { status, headers, body } = response;
  const text = body ? await readInTime(body, clock) : "";
  const retryAfterMs = readRetryAfter(headers.get("retry-after"));
  const error = readErrorResponse({ status, body: text, retryAfterMs }, told.promptParam);
  if (error.code === "not_supported_by_origin" && told.routeSwitch !== undefined) {
    return error.reworded(`The origin's vLLM was started without ${told.routeSwitch}.`);
  }
  return reword(error, { client: told.model, origin: named });
}

/** Returns the body of an error; nothing when it does not come whole in time. Never throws. */
async function readInTime(body: ReadableStream<Uint8Array>, clock: Clock): Promise<string> {
  const late = Promise.withResolvers<string>();
  const callOff = clock.after(ERROR_WITHIN_MS, () => late.resolve(""));
  const text = readText(body, { maxBytes: MAX_ERROR_BYTES }).catch(() => "");
  const read = await Promise.race([text, late.promise]);
  callOff();
  return read;
}

/** Returns the wait in milliseconds, a day at most; only the form in seconds is read, no origin of ours sends a date. */
function readRetryAfter(value: string | null): number | undefined {
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(value?.trim() ?? "")) return undefined;
  return Math.min(Math.round(Number(value) * 1_000), MAX_RETRY_AFTER_MS);
}
