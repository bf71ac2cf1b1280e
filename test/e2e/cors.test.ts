/** Web pages: one of a listed origin may call and read whatever is answered, any other may not. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerChat, DONE, FINISH, MESSAGES, ROLE, WORD } from "../support/chat-frames.ts";
import { send, type Head, type Sending } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const PAGE = "https://app.test";
const KEY = { authorization: "Bearer sk-team" };
/** SHA-256 of `sk-team`. */
const API_KEYS = { "3fc923743166bae134970eb2789df5145d8b8041e050acf18067986818f41d13": { name: "team" } };
const BODY = { model: "toy", messages: MESSAGES };

/** What Chromium asks for as each client's call goes out. */
const STAINLESS =
  "x-stainless-arch,x-stainless-lang,x-stainless-os,x-stainless-package-version,x-stainless-retry-count," +
  "x-stainless-runtime,x-stainless-runtime-version";
const ASKED: Readonly<Record<string, string>> = {
  openai: `authorization,content-type,openai-organization,openai-project,${STAINLESS}`,
  "openai, with its helpers, a timeout and a beta call": `authorization,content-type,openai-beta,x-stainless-arch,x-stainless-helper-method,${STAINLESS.slice(17)},x-stainless-timeout`,
  "@anthropic-ai/sdk 1.x": `anthropic-dangerous-direct-browser-access,anthropic-version,authorization,content-type,${STAINLESS},x-stainless-timeout`,
  "@anthropic-ai/sdk 0.x": `anthropic-beta,anthropic-dangerous-direct-browser-access,anthropic-version,content-type,x-api-key,${STAINLESS},x-stainless-timeout`,
  "@anthropic-ai/sdk in Firefox": `anthropic-dangerous-direct-browser-access,anthropic-version,authorization,content-type,user-agent,x-stainless-helper,${STAINLESS}`,
  "the AI SDK": "authorization,content-type,openai-organization",
  "the AI SDK's Anthropic provider": "anthropic-beta,anthropic-version,content-type,x-api-key",
  "fetch-event-source": "authorization,content-type,last-event-id",
};

let origin: Origin;
let worker: Worker;

beforeAll(async () => {
  origin = await startOrigin(answerChat);
  worker = await startWorker({
    ORIGINS: [{ url: origin.url }],
    ALLOW_ANONYMOUS: "",
    API_KEYS,
    CORS_ALLOW_ORIGINS: JSON.stringify([PAGE, "http://localhost:5173"]),
  });
});

afterAll(async () => {
  await worker.close();
  await origin.close();
});

async function headOf(sending: Sending, of: Worker = worker): Promise<Head> {
  using client = await send(of.port, sending);
  const head = await client.head();
  await client.text();
  return head;
}

/** What `head` says of pages. */
function toldPages({ headers }: Head): object {
  const told = Object.entries(headers).filter(([name]) => name === "vary" || name.startsWith("access-control-"));
  return Object.fromEntries(told);
}

function preflight(path: string, from: string, asked: string): Sending {
  const headers = {
    origin: from,
    "access-control-request-method": "POST",
    "access-control-request-headers": asked,
    "sec-fetch-mode": "cors",
  };
  return { method: "OPTIONS", path, headers };
}

const READABLE = {
  "access-control-allow-origin": PAGE,
  "access-control-expose-headers": "x-request-id, request-id, retry-after, retry-after-ms, x-should-retry, allow",
  vary: "Origin",
};

describe("a preflight", () => {
  for (const [client, asked] of Object.entries(ASKED)) {
    it(`of ${client} is answered without a key, and the origin hears nothing`, async () => {
      const before = origin.requests.length;
      for (const path of ["/v1/chat/completions", "/v1/messages", "/v1/models", "/v1/responses"]) {
        const head = await headOf(preflight(path, PAGE, asked));
        expect(head.status).toBe(204);
        expect(toldPages(head)).toEqual({
          "access-control-allow-origin": PAGE,
          "access-control-allow-methods": "GET, POST, HEAD, OPTIONS",
          "access-control-allow-headers": asked.replaceAll(",", ", "),
          "access-control-max-age": "86400",
          vary: "Origin, Access-Control-Request-Headers",
        });
      }
      expect(origin.requests).toHaveLength(before);
    });
  }

  it("of another page is refused as any request with that method", async () => {
    const head = await headOf(preflight("/v1/models", "https://other.test", "authorization"));
    expect(head.status).toBe(405);
    expect(toldPages(head)).toEqual({ vary: "Origin" });
  });

  it("is no request of the log", async () => {
    await using quiet = await startWorker({ ORIGINS: [{ url: origin.url }], CORS_ALLOW_ORIGINS: [PAGE] });
    const asked = await headOf(preflight("/v1/models", PAGE, "authorization"), quiet);
    const { headers } = await headOf({ method: "GET", path: "/nowhere" }, quiet);
    await quiet.line(String(headers["x-request-id"]));
    expect([asked.status, quiet.lines.length]).toEqual([204, 1]);
  });
});

describe("a page of a listed origin", () => {
  const from = { origin: PAGE };
  const CASES: Readonly<Record<string, readonly [sending: Sending, status: number]>> = {
    "a whole answer": [{ headers: { ...from, ...KEY }, body: BODY }, 200],
    "a stream": [{ headers: { ...from, ...KEY }, body: { ...BODY, stream: true } }, 200],
    "a stream of Messages": [
      { path: "/v1/messages?beta=true", headers: { ...from, ...KEY }, body: { ...BODY, max_tokens: 5, stream: true } },
      200,
    ],
    "a refusal at the door": [{ headers: from, body: BODY }, 401],
    "a refusal of the request": [{ headers: { ...from, ...KEY }, body: { model: "m" } }, 400],
    "a list that no origin gives": [{ method: "GET", path: "/v1/models/nobody", headers: { ...from, ...KEY } }, 503],
    "a relayed answer": [{ path: "/v1/embeddings", headers: { ...from, ...KEY }, body: { input: "a" } }, 200],
    "an unknown path": [{ method: "GET", path: "/nowhere", headers: from }, 404],
    "a wrong method": [{ method: "GET", headers: from }, 405],
    "the models, refused": [{ method: "GET", path: "/v1/models", headers: from }, 401],
    "the health": [{ method: "GET", path: "/health", headers: from }, 200],
    "the options, asked for without a preflight": [{ method: "OPTIONS", headers: from }, 405],
  };
  for (const [what, [sending, status]] of Object.entries(CASES)) {
    it(`may read ${what}`, async () => {
      const head = await headOf(sending);
      expect(head.status).toBe(status);
      expect(toldPages(head)).toEqual(READABLE);
    });
  }

  it("may read a stream word for word", async () => {
    using client = await send(worker.port, { headers: { ...from, ...KEY }, body: { ...BODY, stream: true } });
    expect(await client.text()).toBe(ROLE + WORD + FINISH + DONE);
  });

  it("may read the models", async () => {
    await using lists = await startOrigin((request) => request.json({ object: "list", data: [{ id: "m" }] }));
    await using listing = await startWorker({ ORIGINS: [{ url: lists.url }], CORS_ALLOW_ORIGINS: [PAGE] });
    const head = await headOf({ method: "GET", path: "/v1/models", headers: from }, listing);
    expect(head.status).toBe(200);
    expect(toldPages(head)).toEqual(READABLE);
  });
});

describe("anybody else", () => {
  it.each(["https://other.test", "https://app.test.evil.test", "http://app.test", "null"])(
    "%s is told nothing, whether let in or not",
    async (page) => {
      const served = await headOf({ headers: { origin: page, ...KEY }, body: BODY });
      const refused = await headOf({ headers: { origin: page }, body: BODY });
      expect([served.status, refused.status]).toEqual([200, 401]);
      expect([toldPages(served), toldPages(refused)]).toEqual([{ vary: "Origin" }, { vary: "Origin" }]);
    },
  );

  it("no page is told nothing", async () => {
    expect(toldPages(await headOf({ headers: KEY, body: BODY }))).toEqual({ vary: "Origin" });
  });
});

describe("without the setting", () => {
  it("there is no word of pages anywhere, and OPTIONS is a method like any other", async () => {
    await using plain = await startWorker({ ORIGINS: [{ url: origin.url }] });
    const served = await headOf({ headers: { origin: PAGE }, body: BODY }, plain);
    const asked = await headOf(preflight("/v1/chat/completions", PAGE, "authorization"), plain);
    const nowhere = await headOf(preflight("/nowhere", PAGE, "authorization"), plain);
    expect([served.status, asked.status, nowhere.status]).toEqual([200, 405, 404]);
    expect([served, asked, nowhere].map(toldPages)).toEqual([{}, {}, {}]);
  });
});

describe("settings at fault", () => {
  it("let no page in", async () => {
    await using wrong = await startWorker({ ORIGINS: "", CORS_ALLOW_ORIGINS: [PAGE] });
    const head = await headOf({ headers: { origin: PAGE }, body: BODY }, wrong);
    expect(head.status).toBe(500);
    expect(toldPages(head)).toEqual({});
  });
});
