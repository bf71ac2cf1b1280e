import type { Origin } from "../config/config.ts";
import { GatewayError } from "../core/errors.ts";
import type { Fetch } from "../core/fetch.ts";

export interface OriginRequest {
  readonly path: string;
  readonly body: string;
  readonly headers: Headers;
}

/**
 * One attempt: returns the origin's response once its head is there, whatever its status. Nothing is cached and no
 * redirect followed, since a redirect would take the prompt to an address that nobody configured. Throws
 * `origin_unreachable` when no head comes; aborting `signal` closes the origin's request in any state.
 */
export async function send(
  fetch: Fetch,
  origin: Origin,
  { path, body, headers }: OriginRequest,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(origin.url + path, {
      method: "POST",
      body,
      headers,
      signal,
      cache: "no-store",
      redirect: "manual",
    });
  } catch (cause) {
    throw new GatewayError("origin_unreachable", "The origin could not be reached.", { cause });
  }
}
