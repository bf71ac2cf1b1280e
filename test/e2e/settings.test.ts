/** Settings at fault: the Worker says which one and never what was in it, and answers nothing else. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerChat, MESSAGES } from "../support/chat-frames.ts";
import { send } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker } from "../support/worker.ts";

const HASH = "a".repeat(64);
const SECRET = "hunter2";

let origin: Origin;

beforeAll(async () => {
  origin = await startOrigin(answerChat);
});

afterAll(() => origin.close());

/** What a client is told by a Worker with `settings`. */
async function ask(settings: Readonly<Record<string, unknown>>): Promise<object> {
  await using worker = await startWorker({ ORIGINS: [{ url: origin.url }], ...settings });
  using client = await send(worker.port, { body: { messages: MESSAGES } });
  const { status, headers } = await client.head();
  const { error } = await client.json();
  return { status, retry: headers["x-should-retry"], ...error };
}

describe("a setting at fault", () => {
  const ORIGIN = { url: `http://${SECRET}.test` };
  const CASES: readonly [settings: Readonly<Record<string, unknown>>, problem: string][] = [
    [{ ORIGINS: "" }, "ORIGINS: "],
    [{ ORIGINS: `[{"url":"http://${SECRET}.test"` }, "ORIGINS: "],
    [{ ORIGINS: [] }, "ORIGINS: "],
    [
      { ORIGINS: [{ url: `http://user:${SECRET}@a.test` }] },
      "ORIGINS.0.url: must be an http(s) URL without credentials",
    ],
    [{ ORIGINS: [{ url: `ftp://${SECRET}.test` }] }, "ORIGINS.0.url: must be an http(s) URL"],
    [{ ORIGINS: [{ ...ORIGIN, weight: 0 }] }, "ORIGINS.0.weight: "],
    [{ ORIGINS: [{ ...ORIGIN, [`https://${SECRET}.test`]: 1 }] }, "ORIGINS.0: has a key that is not known."],
    [{ ORIGINS: [{ url: `http://${SECRET}.test/?` }] }, "ORIGINS.0.url: must be an http(s) URL"],
    [{ ORIGIN_API_KEY: `${SECRET} with a space` }, "ORIGIN_API_KEY: must be visible ASCII without spaces."],
    [{ CF_ACCESS_CLIENT_ID: SECRET }, "CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET must be set together."],
    [{ API_KEYS: { [SECRET]: { name: "a" } } }, "API_KEYS: "],
    [{ API_KEYS: { [HASH]: { name: "" } } }, "API_KEYS.name: "],
    [{ API_KEYS: { [HASH]: { name: "a", expires: SECRET } } }, "API_KEYS.expires: must be a date"],
    [{ ALLOW_ANONYMOUS: "yes" }, "ALLOW_ANONYMOUS: must be true or false."],
    [{ MODELS: { small: SECRET } }, "MODELS.small: "],
    [{ HOLD_MS: "2s" }, "HOLD_MS: must be a whole number of milliseconds from 0 to 86400000."],
    [{ KEEPALIVE_MS: -1 }, "KEEPALIVE_MS: must be a whole number of milliseconds from 0 to 86400000."],
    [{ MAX_BODY_BYTES: 0 }, "MAX_BODY_BYTES: must be a whole number of bytes from 1024 to 104857600."],
    [
      { CORS_ALLOW_ORIGINS: [`https://${SECRET}.test/`] },
      "CORS_ALLOW_ORIGINS.0: must be an origin as browsers send it",
    ],
    [{ CORS_ALLOW_ORIGINS: ["*"] }, 'CORS_ALLOW_ORIGINS.0: "*" and "null" would let every web page in'],
    [{ CORS_ALLOW_ORIGINS: SECRET }, "CORS_ALLOW_ORIGINS: must be a list of the origins of your pages"],
    // Of the design, and not there yet.
    [{ ANONYMOUS_TRUSTED: "true" }, "ANONYMOUS_TRUSTED is not supported by this version."],
    [{ API_KEYS: { [HASH]: { name: "a", rpm: 60 } } }, "API_KEYS: rpm is not supported by this version."],
    [
      { MODELS: { small: { model: "m", tool_syntax: "hermes" } } },
      "MODELS.small: tool_syntax is not supported by this version.",
    ],
  ];
  for (const [settings, problem] of CASES) {
    it(`is named: ${JSON.stringify(settings).slice(0, 80)}`, async () => {
      const before = origin.requests.length;
      const told = await ask(settings);
      expect(told).toMatchObject({
        status: 500,
        retry: "false",
        type: "server_error",
        param: null,
        code: "misconfigured",
      });
      expect(told).toHaveProperty("message", expect.stringContaining(`The gateway is misconfigured. ${problem}`));
      expect(JSON.stringify(told)).not.toContain(SECRET);
      expect(JSON.stringify(told)).not.toContain(HASH);
      expect(origin.requests).toHaveLength(before);
    });
  }
});

describe("settings that are in order", () => {
  it("may be tables or JSON text, and numbers or text", async () => {
    const { url } = origin;
    const tables = {
      ORIGINS: [{ url }],
      API_KEYS: {},
      MODELS: { a: { model: "b" } },
      HOLD_MS: 0,
      ALLOW_ANONYMOUS: true,
    };
    const texts = Object.fromEntries(Object.entries(tables).map(([name, value]) => [name, JSON.stringify(value)]));
    expect(await ask(tables)).toEqual({ status: 200 });
    expect(await ask(texts)).toEqual({ status: 200 });
  });
});
