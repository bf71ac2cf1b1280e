import { version } from "../../package.json";
import { asGatewayError, GatewayError } from "../core/errors.ts";
import { probe } from "../origin/probe.ts";
import type { Gateway, Invocation } from "./gateway.ts";
import { refuse } from "./refuse.ts";
import { respondJson } from "./respond.ts";

/**
 * Answers `GET /health`: 200 when an origin was usable when last seen, 503 when none was. An origin of which nothing
 * recent is known is looked at first; it never says which one, nor how many there are. A 200 says which version of the
 * gateway answers, and the commit it was deployed from, null where that is not known.
 */
export async function reportHealth(request: Request, gateway: Gateway, invocation: Invocation): Promise<Response> {
  try {
    const { origins, originHeaders, commit } = invocation.config();
    const stale = origins.filter(({ url }) => gateway.health.stale(url));
    await Promise.all(stale.map((origin) => probe(gateway, origin, originHeaders)));
    if (origins.some(({ url }) => gateway.health.usable(url))) {
      const report = { status: "ok", version, commit: commit ?? null };
      return respondJson(JSON.stringify(report), gateway.newId("req_"));
    }
    throw new GatewayError("origin_unavailable", "No origin is usable at the moment.", RETRY_SOON);
  } catch (thrown) {
    return refuse(asGatewayError(thrown), request, gateway, invocation);
  }
}

const RETRY_SOON = { retryAfterMs: 5_000 };
