/** Who is calling. Keys are known by their SHA-256 alone, so that no secret is ever compared or stored. */
import type { Config } from "../config/config.ts";
import { GatewayError } from "../core/errors.ts";

export interface Caller {
  /** The key's name; `anonymous` for a caller without one. */
  readonly name: string;
  /** The models, as clients name them, that are open to the caller; `undefined` for all. */
  readonly models: readonly string[] | undefined;
}

const ANONYMOUS: Caller = { name: "anonymous", models: undefined };

/**
 * Returns the caller by its `authorization: Bearer` or `x-api-key`; some clients send both, and one that is known is
 * enough. `nowMs` is compared with the key's expiry. Throws `invalid_api_key` for a caller that is not known, unless
 * anonymous callers are let in: then an unknown key, which SDKs insist on sending, counts as none.
 */
export async function identify(headers: Headers, config: Config, nowMs: number): Promise<Caller> {
  const keys = [bearer(headers.get("authorization")), headers.get("x-api-key")?.trim()].filter((key) => !!key);
  for (const key of keys) {
    const known = config.apiKeys.get(await sha256(key ?? ""));
    if (known && (known.expiresAt === undefined || nowMs < known.expiresAt)) return known;
  }
  if (config.allowAnonymous) return ANONYMOUS;
  throw new GatewayError(
    "invalid_api_key",
    keys.length === 0
      ? "No API key was given. Send it as `Authorization: Bearer KEY`."
      : "The API key is not valid here, or has expired.",
  );
}

/** Throws `permission_denied` when the caller may not use `model` (as the client named it; `undefined`: the origin's own). */
export function admit(caller: Caller, model: string | undefined): void {
  if (opens(caller, model)) return;
  throw new GatewayError("permission_denied", "The API key does not open this model.", { param: "model" });
}

/** Whether the caller may use `model`, as clients name it. */
export function opens({ models }: Caller, model: string | undefined): boolean {
  return models === undefined || (model !== undefined && models.includes(model));
}

function bearer(authorization: string | null): string | undefined {
  return /^bearer\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1];
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
