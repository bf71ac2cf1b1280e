/**
 * Every setting, its default and its range. A value comes from `[vars]` or a secret: a table may be a list or object,
 * or JSON text; a number or boolean may be text. An empty text is the same as none.
 */
import * as z from "zod/mini";

const DAY_MS = 86_400_000;
const MEBIBYTE = 1_048_576;

/** Settings that the design names and this version does not have yet: set, they are refused and never ignored. */
export const NOT_BUILT_YET = ["ANONYMOUS_TRUSTED"] as const;

/** The same of keys inside a setting. */
export const KEYS_NOT_BUILT_YET = ["rpm", "concurrent", "trusted", "tool_syntax", "reasoning_syntax"] as const;

const originSchema = z.strictObject({
  url: z
    .string()
    .check(z.refine(isOriginUrl, "must be an http(s) URL without credentials, query, fragment or white space")),
  weight: z.optional(z.number().check(z.positive())),
  models: z.optional(z.array(z.string())),
  binding: z.optional(z.string().check(z.regex(/^[A-Za-z_]\w*$/, "must be the name of a binding"))),
});

const keySchema = z.strictObject({
  name: z.string().check(z.minLength(1)),
  models: z.optional(z.array(z.string())),
  expires: z.optional(z.string().check(z.refine(isDate, "must be a date such as 2027-01-31 or 2027-01-31T12:00:00Z"))),
});

const aliasSchema = z.strictObject({
  model: z.string().check(z.minLength(1)),
  thinking_when_forced: z.optional(z.boolean("must be true or false")),
});

/** `*` and `null`, which any page can have, would let every page in the world spend what the door lets through. */
const pageOriginSchema = z.string().check(
  z.refine((text) => text !== "*" && text !== "null", {
    error: '"*" and "null" would let every web page in: list the origins of your pages one by one',
    abort: true,
  }),
  z.refine(isPageOrigin, "must be an origin as browsers send it: scheme://host or scheme://host:port, without a path"),
);

const PAGE_ORIGINS = 'must be a list of the origins of your pages, such as ["https://app.example.com"]; "*" is none';

const ORIGIN_LIST = 'must be a list such as [{"url": "https://vllm.example.com"}]';

export const settingsSchema = z.object({
  ORIGINS: table(z.array(originSchema, ORIGIN_LIST).check(z.minLength(1, ORIGIN_LIST))),
  ORIGIN_API_KEY: z.optional(headerText()),
  CF_ACCESS_CLIENT_ID: z.optional(headerText()),
  CF_ACCESS_CLIENT_SECRET: z.optional(headerText()),
  API_KEYS: z._default(
    table(
      z.record(
        z.string().check(z.regex(/^[0-9a-f]{64}$/, "a key must be the SHA-256 of a client's key in hex, lower case")),
        keySchema,
      ),
    ),
    {},
  ),
  ALLOW_ANONYMOUS: z._default(flag(), false),
  CORS_ALLOW_ORIGINS: z._default(table(z.array(pageOriginSchema, PAGE_ORIGINS)), []),
  MODELS: z._default(table(z.record(z.string(), aliasSchema)), {}),
  HOLD_MS: milliseconds(2_000),
  KEEPALIVE_MS: milliseconds(5_000),
  FIRST_EVENT_TIMEOUT_MS: milliseconds(300_000),
  IDLE_TIMEOUT_MS: milliseconds(300_000),
  ANSWER_TIMEOUT_MS: milliseconds(600_000),
  CLIENT_STALL_TIMEOUT_MS: milliseconds(600_000),
  TOTAL_TIMEOUT_MS: milliseconds(0),
  BODY_TIMEOUT_MS: milliseconds(30_000),
  MAX_BODY_BYTES: bytes(16 * MEBIBYTE),
  MAX_FRAME_BYTES: bytes(MEBIBYTE),
  MAX_RESPONSE_BYTES: bytes(16 * MEBIBYTE),
  GIT_COMMIT: z.optional(z.string().check(z.regex(/^[0-9a-f]{7,64}$/, "must be the hash of a commit, lower case"))),
});

export type Settings = z.infer<typeof settingsSchema>;

/** A duration in milliseconds from 0 (off) to a day. */
function milliseconds(fallback: number) {
  const range = `must be a whole number of milliseconds from 0 to ${DAY_MS}`;
  return z._default(z.pipe(z.transform(toNumber), z.int(range).check(z.gte(0, range), z.lte(DAY_MS, range))), fallback);
}

/** A size in bytes, from 1 KiB to 100 MiB: an isolate has 128 MB for everything. */
function bytes(fallback: number) {
  const range = `must be a whole number of bytes from 1024 to ${100 * MEBIBYTE}`;
  const inRange = z.int(range).check(z.gte(1_024, range), z.lte(100 * MEBIBYTE, range));
  return z._default(z.pipe(z.transform(toNumber), inRange), fallback);
}

function flag() {
  const words = new Map([
    ["true", true],
    ["false", false],
  ]);
  return z.pipe(
    z.transform((raw: unknown) => (typeof raw === "string" ? (words.get(raw) ?? raw) : raw)),
    z.boolean("must be true or false"),
  );
}

function table<Schema extends z.core.$ZodType>(schema: Schema) {
  return z.pipe(z.transform(toTable), schema);
}

/** Text that may stand in a header: visible ASCII without spaces, as keys are. */
function headerText() {
  return z.string().check(z.regex(/^[!-~]+$/, "must be visible ASCII without spaces"));
}

function toNumber(raw: unknown): unknown {
  return typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
}

function toTable(raw: unknown): unknown {
  if (typeof raw !== "string") return raw;
  try {
    return JSON.parse(raw);
  } catch {
    // Not JSON: the schema behind this step says what it wanted instead of the text.
    return raw;
  }
}

function isOriginUrl(text: string): boolean {
  // The parser drops white space, control characters and an empty query without a word.
  if (/[?#\s\p{Cc}]/u.test(text)) return false;
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) return false;
  return url.username === "" && url.password === "";
}

/** Pages of apps have schemes of their own (`tauri://localhost`), which the parser takes apart no further. */
function isPageOrigin(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\/[^\s\p{Cc}/?#@*,]+$/iu.test(text) && URL.canParse(text);
}

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}
