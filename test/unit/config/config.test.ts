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
    expect(() => readConfig({ ORIGINS, API_KEYS: { "sk-secret": { name: "a" } } })).toThrow(
      /^(?!.*secret).*API_KEYS: /,
    );
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
