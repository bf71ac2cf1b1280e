/** The environment, read once: what the rest of the gateway knows of its settings. */
import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";
import { GatewayError } from "../core/errors.ts";
import type { Fetch } from "../core/fetch.ts";
import { KEYS_NOT_BUILT_YET, NOT_BUILT_YET, settingsSchema, type Settings } from "./schema.ts";

z.config(en());

export interface Origin {
  /** Without a trailing slash; a path in it comes before every route. */
  readonly url: string;
  /** Share of the requests, relative to the other origins. */
  readonly weight: number;
  /** The origin's own names of the models it serves; `undefined` for any. */
  readonly models: readonly string[] | undefined;
  /** How it is reached; `undefined`: by the network, as everything is. */
  readonly fetch?: Fetch | undefined;
}

export interface ApiKey {
  readonly name: string;
  /** The models, as clients name them, that the key opens; `undefined` for all. */
  readonly models: readonly string[] | undefined;
  /** Milliseconds since 1970; from then on the key is refused. */
  readonly expiresAt: number | undefined;
}

export interface Alias {
  /** The origin's name of the model. */
  readonly model: string;
  /** Whether the model may think where it must call a tool or answer in a given structure; `undefined`: nobody said. */
  readonly thinkingWhenForced: boolean | undefined;
}

export interface Limits {
  readonly holdMs: number;
  readonly keepAliveMs: number;
  readonly firstEventTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly answerTimeoutMs: number;
  readonly clientStallTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxFrameBytes: number;
  readonly maxResponseBytes: number;
}

export interface Config {
  readonly origins: readonly Origin[];
  /** Headers that prove to the origin that it is us. */
  readonly originHeaders: Readonly<Record<string, string>>;
  /** By the SHA-256 of the key, in hex. */
  readonly apiKeys: ReadonlyMap<string, ApiKey>;
  readonly allowAnonymous: boolean;
  /** Of the web pages that may call, as browsers send it. */
  readonly pageOrigins: ReadonlySet<string>;
  /** By the client's name of a model. */
  readonly aliases: ReadonlyMap<string, Alias>;
  readonly limits: Limits;
  /** The commit that was deployed; `undefined` where nobody said. */
  readonly commit: string | undefined;
}

/** Returns the settings in `env`. Throws `misconfigured`, naming the first setting at fault and never its value. */
export function readConfig(env: Readonly<Record<string, unknown>>): Config {
  const { settings, problems } = parse(env);
  if (settings === undefined || problems.length > 0) throw misconfigured(problems[0] ?? "A setting is not valid.");
  return {
    origins: settings.ORIGINS.map(({ url, weight = 1, models, binding }) => ({
      url: baseUrl(url),
      weight,
      models,
      fetch: fetchOf(env, binding),
    })),
    originHeaders: originHeaders(settings),
    apiKeys: new Map(Object.entries(settings.API_KEYS).map(([hash, key]) => [hash, readKey(key)])),
    allowAnonymous: settings.ALLOW_ANONYMOUS,
    pageOrigins: new Set(settings.CORS_ALLOW_ORIGINS.map(pageOrigin)),
    aliases: new Map(Object.entries(settings.MODELS).map(([name, alias]) => [name, readAlias(alias)])),
    limits: readLimits(settings),
    commit: settings.GIT_COMMIT ?? versionTag(env["VERSION_METADATA"]),
  };
}

/**
 * Returns everything that keeps the Worker from serving with `env`, each in one sentence that names its setting and
 * never its value; none when all is in order.
 */
export function findProblems(env: Readonly<Record<string, unknown>>): readonly string[] {
  return parse(env).problems;
}

function parse(env: Readonly<Record<string, unknown>>): { settings?: Settings; problems: string[] } {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== "" && value !== undefined));
  const unbuilt = NOT_BUILT_YET.filter((name) => name in given);
  const problems = unbuilt.map((name) => `${name} is not supported by this version. Remove it.`);
  if (typeof given["METRICS"] === "string") problems.push("METRICS is the binding of a dataset, and no setting.");
  const parsed = z.safeParse(settingsSchema, given);
  if (!parsed.success) return { problems: [...problems, ...parsed.error.issues.map(describe)] };
  const settings = parsed.data;
  if ((settings.CF_ACCESS_CLIENT_ID === undefined) !== (settings.CF_ACCESS_CLIENT_SECRET === undefined)) {
    problems.push("CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET must be set together.");
  }
  for (const [at, { binding }] of settings.ORIGINS.entries()) {
    if (binding === undefined || fetchOf(env, binding)) continue;
    problems.push(`ORIGINS.${at}.binding: there is no binding of this name that could reach an origin.`);
  }
  return { settings, problems };
}

/** Of a version that was uploaded without GIT_COMMIT: its tag, where that is a commit's hash. */
function versionTag(metadata: unknown): string | undefined {
  const tag: unknown = typeof metadata === "object" && metadata !== null ? Reflect.get(metadata, "tag") : undefined;
  return typeof tag === "string" && /^[0-9a-f]{7,64}$/.test(tag) ? tag : undefined;
}

/** Returns how an origin is reached through the binding of this name; nothing where there is none. */
function fetchOf(env: Readonly<Record<string, unknown>>, binding: string | undefined): Fetch | undefined {
  const bound = binding === undefined ? undefined : env[binding];
  if (!isFetcher(bound)) return undefined;
  return (url, init) => bound.fetch(url, init);
}

function isFetcher(bound: unknown): bound is { fetch: Fetch } {
  return typeof bound === "object" && bound !== null && "fetch" in bound && typeof bound.fetch === "function";
}

/** In the parser's spelling, so that a route can be put behind it as it is. */
function baseUrl(url: string): string {
  return new URL(url).href.replace(/\/+$/, "");
}

/** As browsers spell it: in lower case, without the scheme's own port. */
function pageOrigin(text: string): string {
  const { origin } = new URL(text);
  return origin === "null" ? text.toLowerCase() : origin;
}

function readKey({ name, models, expires }: Settings["API_KEYS"][string]): ApiKey {
  return { name, models, expiresAt: expires === undefined ? undefined : Date.parse(expires) };
}

function readAlias({ model, thinking_when_forced: thinkingWhenForced }: Settings["MODELS"][string]): Alias {
  return { model, thinkingWhenForced };
}

function originHeaders(settings: Settings): Record<string, string> {
  const headers: Record<string, string> = {};
  if (settings.ORIGIN_API_KEY !== undefined) headers["authorization"] = `Bearer ${settings.ORIGIN_API_KEY}`;
  if (settings.CF_ACCESS_CLIENT_ID !== undefined) headers["cf-access-client-id"] = settings.CF_ACCESS_CLIENT_ID;
  if (settings.CF_ACCESS_CLIENT_SECRET !== undefined) {
    headers["cf-access-client-secret"] = settings.CF_ACCESS_CLIENT_SECRET;
  }
  return headers;
}

function readLimits(settings: Settings): Limits {
  return {
    holdMs: settings.HOLD_MS,
    keepAliveMs: settings.KEEPALIVE_MS,
    firstEventTimeoutMs: settings.FIRST_EVENT_TIMEOUT_MS,
    idleTimeoutMs: settings.IDLE_TIMEOUT_MS,
    answerTimeoutMs: settings.ANSWER_TIMEOUT_MS,
    clientStallTimeoutMs: settings.CLIENT_STALL_TIMEOUT_MS,
    totalTimeoutMs: settings.TOTAL_TIMEOUT_MS,
    bodyTimeoutMs: settings.BODY_TIMEOUT_MS,
    maxBodyBytes: settings.MAX_BODY_BYTES,
    maxFrameBytes: settings.MAX_FRAME_BYTES,
    maxResponseBytes: settings.MAX_RESPONSE_BYTES,
  };
}

/** A key's hash is left out of the sentence: it belongs to the operator, not to whoever meets the error. */
function describe(issue: z.core.$ZodIssue): string {
  const [setting, ...inner] = issue.path;
  const place = setting === "API_KEYS" ? inner.slice(1) : inner;
  const name = [setting, ...place].join(".");
  if (issue.code === "unrecognized_keys") return `${name}: ${describeKeys(issue.keys)}`;
  // The schema's own words for a key of a table stand one level down, without the key.
  const message = issue.code === "invalid_key" ? issue.issues[0]?.message : issue.message;
  return `${name}: ${message ?? "has a key that is not valid"}.`;
}

/** A key that nobody knows may be a value in the wrong place, a secret even: it is not repeated. */
function describeKeys(keys: readonly string[]): string {
  const later = KEYS_NOT_BUILT_YET.find((key) => keys.includes(key));
  return later === undefined ? "has a key that is not known." : `${later} is not supported by this version. Remove it.`;
}

function misconfigured(problem: string): GatewayError {
  return new GatewayError("misconfigured", `The gateway is misconfigured. ${problem}`);
}
