/** What the settings become, and what a client is told of one at fault. */
import { describe, expect, test } from "vitest";
import { findProblems, readConfig } from "../../../src/config/config.ts";
import { GatewayError } from "../../../src/core/errors.ts";

const HASH = "a".repeat(64);
const ORIGINS = [{ url: "http://h" }];

/** What is said of `settings` that are at fault. */
function told(settings: Readonly<Record<string, unknown>>): string {
  try {
    readConfig(settings);
  } catch (error) {
    return error instanceof GatewayError ? error.message : "not a GatewayError";
  }
  return "nothing";
}

describe("an origin's URL", () => {
  test.each([
    ["http://h", "http://h"],
    ["http://h/", "http://h"],
    ["HTTP://H:80//", "http://h"],
    ["https://h:8443/base/", "https://h:8443/base"],
    ["http://[::1]:8000", "http://[::1]:8000"],
    ["http://h/a/../b", "http://h/b"],
  ])("%s is %s", (url, kept) => {
    expect(readConfig({ ORIGINS: [{ url }] }).origins[0]?.url).toBe(kept);
  });

  test.each([
    "http://h/?",
    "http://h?",
    "http://h/#",
    "http://h#",
    " http://h ",
    "http://h\n",
    "ht\ttp://h",
    "\u0000http://h",
    "http://h/a b",
    "http://h/\u00a0",
  ])("%j is refused", (url) => {
    expect(() => readConfig({ ORIGINS: [{ url }] })).toThrow("ORIGINS.0.url: must be an http(s) URL without");
  });
});

test.each(["http://secret.test", '{"url": "http://secret.test"}', "[", "1", "[]"])(
  "%s is no list of origins",
  (text) => {
    expect(told({ ORIGINS: text })).toBe(
      'The gateway is misconfigured. ORIGINS: must be a list such as [{"url": "https://vllm.example.com"}].',
    );
  },
);

const kept = (list: unknown) => [...readConfig({ ORIGINS, CORS_ALLOW_ORIGINS: list }).pageOrigins];

describe("the origin of a web page", () => {
  test.each([
    ["https://app.test", "https://app.test"],
    ["HTTPS://App.Test:443", "https://app.test"],
    ["http://localhost:5173", "http://localhost:5173"],
    ["http://[::1]:3000", "http://[::1]:3000"],
    ["https://b\u00fccher.test", "https://xn--bcher-kva.test"],
    ["tauri://localhost", "tauri://localhost"],
    ["chrome-extension://abcdefgh", "chrome-extension://abcdefgh"],
  ])("%s is %s", (text, origin) => {
    expect(kept([text])).toEqual([origin]);
  });

  test("stands in a list or in its JSON; without one there is none", () => {
    expect(kept('["https://a.test", "https://b.test"]')).toEqual(["https://a.test", "https://b.test"]);
    expect(kept("[]")).toEqual([]);
    expect(kept("")).toEqual([]);
  });

  test.each([
    "https://app.test/",
    "https://app.test/path",
    "https://app.test?",
    "https://app.test#",
    "https://me@app.test",
    "https://*.app.test",
    "https://a.test,https://b.test",
    "https://a.test https://b.test",
    "https://",
    "https://app.test:99999",
    "app.test",
    "//app.test",
    "",
  ])("%j is refused", (text) => {
    expect(told({ ORIGINS, CORS_ALLOW_ORIGINS: [text] })).toBe(
      "The gateway is misconfigured. CORS_ALLOW_ORIGINS.0: must be an origin as browsers send it: scheme://host or scheme://host:port, without a path.",
    );
  });

  test.each(["*", "null"])("%j is refused, since any page would be let in", (text) => {
    expect(told({ ORIGINS, CORS_ALLOW_ORIGINS: ["https://app.test", text] })).toBe(
      'The gateway is misconfigured. CORS_ALLOW_ORIGINS.1: "*" and "null" would let every web page in: list the origins of your pages one by one.',
    );
  });

  test.each(["*", "https://app.test", "true", '{"https://app.test": true}'])("%s alone is no list", (text) => {
    expect(told({ ORIGINS, CORS_ALLOW_ORIGINS: text })).toBe(
      'The gateway is misconfigured. CORS_ALLOW_ORIGINS: must be a list of the origins of your pages, such as ["https://app.example.com"]; "*" is none.',
    );
  });
});

test("a text where the dataset of the metrics should be bound is refused; the dataset itself is no setting", () => {
  expect(told({ ORIGINS, METRICS: "sluice" })).toBe(
    "The gateway is misconfigured. METRICS is the binding of a dataset, and no setting.",
  );
  expect(told({ ORIGINS, METRICS: { writeDataPoint: () => {} } })).toBe("nothing");
});

describe("a key that a setting does not have", () => {
  const BUILT_LATER = ["rpm", "concurrent", "trusted", "tool_syntax", "reasoning_syntax"];
  const PLACES: readonly [place: string, settings: (key: string) => object][] = [
    ["ORIGINS.0", (key) => ({ ORIGINS: [{ url: "http://h", [key]: 1 }] })],
    ["API_KEYS", (key) => ({ ORIGINS, API_KEYS: { [HASH]: { name: "a", [key]: 1 } } })],
    ["MODELS.small", (key) => ({ ORIGINS, MODELS: { small: { model: "m", [key]: 1 } } })],
  ];

  describe.each(PLACES)("%s", (place, settings) => {
    test.each(["https://secret.test", "sk-secret", "wieght", "toString"])("%s is not repeated", (key) => {
      expect(told({ ...settings(key) })).toBe(`The gateway is misconfigured. ${place}: has a key that is not known.`);
    });

    test.each(BUILT_LATER)("%s is named, for it is a setting of a later version", (key) => {
      expect(told({ ...settings(key) })).toBe(
        `The gateway is misconfigured. ${place}: ${key} is not supported by this version. Remove it.`,
      );
    });
  });

  test("is told beside a known one only by the known one's name", () => {
    const API_KEYS = { [HASH]: { name: "a", "sk-secret": 1, rpm: 60 } };
    expect(() => readConfig({ ORIGINS, API_KEYS })).toThrow(
      /API_KEYS: rpm is not supported by this version\. Remove it\.$/,
    );
  });

  test("is not repeated where a hash should stand", () => {
    for (const key of ["sk-secret", HASH.toUpperCase(), HASH.slice(1)]) {
      expect(told({ ORIGINS, API_KEYS: { [key]: { name: "a" } } })).toBe(
        "The gateway is misconfigured. API_KEYS: a key must be the SHA-256 of a client's key in hex, lower case.",
      );
    }
  });
});

describe("what keeps the Worker from serving", () => {
  test("is found all at once, each in one sentence without a value", () => {
    const env = {
      ORIGINS: [{ url: "ftp://secret.test" }],
      API_KEYS: { [HASH]: { name: "", models: "secret" } },
      HOLD_MS: "-1",
      MAX_BODY_BYTES: "12",
      ANONYMOUS_TRUSTED: "true",
      GIT_COMMIT: "main",
      VERSION_METADATA: { tag: "1" },
      UNKNOWN: "1",
    };
    expect(findProblems(env)).toEqual([
      "ANONYMOUS_TRUSTED is not supported by this version. Remove it.",
      "ORIGINS.0.url: must be an http(s) URL without credentials, query, fragment or white space.",
      "API_KEYS.name: Too small: expected string to have >=1 characters.",
      "API_KEYS.models: Invalid input: expected array, received string.",
      "HOLD_MS: must be a whole number of milliseconds from 0 to 86400000.",
      "MAX_BODY_BYTES: must be a whole number of bytes from 1024 to 104857600.",
      "GIT_COMMIT: must be the hash of a commit, lower case.",
    ]);
    expect(findProblems({ ORIGINS, CF_ACCESS_CLIENT_ID: "a" })).toEqual([
      "CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET must be set together.",
    ]);
    expect(findProblems({ ORIGINS, HOLD_MS: "" })).toEqual([]);
  });
});
