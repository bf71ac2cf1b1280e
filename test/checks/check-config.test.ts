/** `npm run check-config`: what it says of each way in which a configuration can be wrong, and that it keeps secrets. */
import { describe, expect, test } from "vitest";
import { check } from "../../scripts/check-config/check.ts";
import type { Given } from "../../scripts/check-config/given.ts";

const NOW = Date.parse("2026-12-01T00:00:00Z");
const HASH = "2a8a1240f50636655520ac8ed22aa29473b8517b4abfdbc3bc03bcad73fc8849";
const OTHER_HASH = HASH.replaceAll("2", "3");
const SECRET = "sk-secret-value";

const API_KEYS = JSON.stringify({ [HASH]: { name: "app" } });
const GOOD: Given = {
  environment: "production",
  vars: { ORIGINS: [{ url: "https://vllm.sluice.dev" }] },
  secrets: { API_KEYS, ORIGIN_API_KEY: SECRET },
  hidden: [],
  bindings: ["VERSION_METADATA"],
  top: { vars: [], bindings: ["VERSION_METADATA"] },
};

/** What is said, a line for each finding. */
function told(given: Partial<Given>): string[] {
  return check({ ...GOOD, ...given }, NOW).map(({ level, text }) => `${level} ${text}`);
}

/** The same with other origins, keys or limits. */
const origins = (...list: object[]): string[] => told({ vars: { ORIGINS: list } });
const keys = (table: object, more: object = {}): string[] =>
  told({ secrets: { ...GOOD.secrets, API_KEYS: JSON.stringify(table) }, vars: { ...GOOD.vars, ...more } });

test("nothing is said of a configuration that is in order", () => {
  expect(told({})).toEqual([]);
  expect(told({ secrets: {}, hidden: ["API_KEYS", "ORIGIN_API_KEY"] })).toEqual([]);
  expect(told({ vars: {}, secrets: {}, hidden: ["API_KEYS", "ORIGIN_API_KEY", "ORIGINS"] })).toEqual([]);
});

test("the top level, which npm start uses, may have any origin or none, and any door", () => {
  const laptop = { environment: "", secrets: {}, bindings: [], top: { vars: [], bindings: [] } };
  expect(told({ ...laptop, vars: {} })).toEqual([
    "note nothing is set there, so there was nothing to check. What would be deployed: --env NAME.",
  ]);
  expect(told({ ...laptop, vars: { ORIGINS: '[{"url":"http://127.0.0.1:8000"}]' } })).toEqual([]);
  expect(told({ ...laptop, vars: { HOLD_MS: "soon" } })).toEqual([
    "error HOLD_MS: must be a whole number of milliseconds from 0 to 86400000.",
  ]);
});

describe("settings", () => {
  test("all that the Worker would refuse is said at once", () => {
    expect(told({ vars: { ...GOOD.vars, HOLD_MS: -1, MAX_BODY_BYTES: "1", ANONYMOUS_TRUSTED: true } })).toEqual([
      "error ANONYMOUS_TRUSTED is not supported by this version. Remove it.",
      "error HOLD_MS: must be a whole number of milliseconds from 0 to 86400000.",
      "error MAX_BODY_BYTES: must be a whole number of bytes from 1024 to 104857600.",
    ]);
    expect(told({ vars: {} })).toEqual([
      "error ORIGINS: missing. It names the vLLM servers, as a variable or a secret.",
    ]);
    expect(told({ secrets: { ...GOOD.secrets, CF_ACCESS_CLIENT_ID: SECRET } })).toEqual([
      "error CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET must be set together.",
    ]);
  });

  test("one that nobody knows, one that is said twice, and a secret in the open", () => {
    expect(told({ vars: { ...GOOD.vars, HOLD_MSS: "1", API_KEYS, CF_ACCESS_CLIENT_ID: SECRET } })).toEqual([
      "error CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET must be set together.",
      "error HOLD_MSS: no setting has this name, so it has no effect.",
      "error API_KEYS: both a variable and a secret, which wrangler refuses.",
      "error CF_ACCESS_CLIENT_ID: a secret, in a file that is kept in git. Set it as one (docs/operations.md).",
    ]);
    expect(told({ secrets: { ...GOOD.secrets, ORIGN_API_KEY: SECRET } })).toEqual([
      "error ORIGN_API_KEY: no setting has this name, so it has no effect.",
    ]);
  });
});

describe("origins", () => {
  test.each([
    [
      "http://vllm.sluice.dev",
      "not https. Prompts, answers and the origin's key would cross the internet in the clear.",
    ],
    ["https://vllm.example.com", "an address from the documentation. Put yours there."],
    ...[
      "http://localhost:8000",
      "https://10.1.2.3",
      "https://172.20.0.1",
      "https://gpu.internal",
      "https://gpu",
      "https://[fd00::1]",
    ].map((url) => [url, "an address that only your own network knows. Cloudflare cannot reach it."]),
  ])("%s", (url, text) => {
    expect(origins({ url: "https://vllm.sluice.dev" }, { url })).toEqual([`error ORIGINS.1.url: ${text}`]);
  });

  test.each(["https://172.15.0.1", "https://8.8.8.8:8443/base", "https://vllm-example.com"])("%s is one", (url) => {
    expect(origins({ url })).toEqual([]);
  });

  test("a list that leads nowhere, and one address twice", () => {
    const url = "https://vllm.sluice.dev";
    expect(origins({ url }, { url: `${url}/`, models: [] })).toEqual([
      "warning ORIGINS: an address stands there twice. Use a weight.",
      "warning ORIGINS.1.models: an empty list. No request will go there.",
    ]);
    const MODELS = { small: { model: "qwen" }, large: { model: "llama" } };
    expect(told({ vars: { ORIGINS: [{ url, models: ["llama"] }], MODELS } })).toEqual([
      "error MODELS.small: stands for a model that is in no origin's list.",
    ]);
  });

  test("behind a binding one may have any address and needs no key, as long as the binding is there", () => {
    const vars = { ORIGINS: [{ url: "http://vllm.internal:8000", binding: "VLLM" }] };
    const bindings = [...GOOD.bindings, "VLLM"];
    expect(told({ vars, bindings, secrets: { API_KEYS } })).toEqual([]);
    expect(told({ vars, secrets: { API_KEYS } })).toEqual([
      "error ORIGINS.0.binding: there is no binding of this name that could reach an origin.",
    ]);
  });

  test("nothing proves to them that it is Sluice who asks", () => {
    expect(told({ secrets: { API_KEYS } })).toEqual([
      "warning ORIGIN_API_KEY, CF_ACCESS_CLIENT_ID: neither is set. Whoever finds an origin can use it, past every key (docs/origins.md).",
    ]);
  });
});

describe("the door", () => {
  test("shut", () => {
    const shut = "The door is shut: every request gets 401.";
    expect(keys({})).toEqual([`error API_KEYS: none. ${shut}`]);
    expect(keys({ [HASH]: { name: "a", expires: "2026-11-30" } })).toEqual([
      `error API_KEYS: every key has expired. ${shut}`,
    ]);
  });

  test("wide open, which only a trial may be", () => {
    const text = "ALLOW_ANONYMOUS: true. Everybody on the internet may use the GPUs.";
    const vars = { ...GOOD.vars, ALLOW_ANONYMOUS: "true" };
    expect(told({ vars })).toEqual([`error ${text}`]);
    expect(told({ vars, environment: "live" })).toEqual([`error ${text}`]);
    expect(told({ vars, environment: "staging" })).toEqual([`warning ${text}`]);
    expect(keys({}, { ALLOW_ANONYMOUS: true })).toEqual([`error ${text}`]);
  });

  test("about to shut, and keys that cannot be told apart", () => {
    const table = {
      [HASH]: { name: SECRET, expires: "2026-11-30" },
      [OTHER_HASH]: { name: SECRET, expires: "2026-12-03T12:00:00Z" },
      ["4".repeat(64)]: { name: "c", models: [] },
    };
    expect(keys(table)).toEqual([
      "warning API_KEYS: key 1 of 3 has expired. Remove it.",
      "warning API_KEYS: key 2 of 3 expires within 3 days.",
      "warning API_KEYS: key 3 of 3 opens no model: its list is empty.",
      "warning API_KEYS: two keys have one name. The log cannot tell them apart.",
    ]);
  });
});

test("limits that nobody gets along with", () => {
  expect(told({ vars: { ...GOOD.vars, HOLD_MS: 0 } })).toEqual([
    "warning HOLD_MS: 0. What fails before the first word is told as 200 and an error event.",
  ]);
});

test("what an environment forgot to repeat", () => {
  const top = { vars: ["ORIGINS", "HOLD_MS", "API_KEYS"], bindings: ["VERSION_METADATA", "METRICS"] };
  expect(told({ top })).toEqual([
    "error METRICS: a binding of the top level that [env.production] does not repeat.",
    "warning HOLD_MS: set at the top level, but not in [env.production.vars], which does not inherit it.",
  ]);
});

test("no value of a secret is ever said", () => {
  const secrets = {
    ORIGINS: JSON.stringify([{ url: `http://${SECRET}.internal`, [SECRET]: 1 }, { url: `ftp://${SECRET}` }]),
    API_KEYS: JSON.stringify({ [SECRET]: { name: SECRET, expires: SECRET } }),
    ORIGIN_API_KEY: `${SECRET} ${SECRET}`,
    HOLD_MS: SECRET,
  };
  const said = told({ vars: {}, secrets });
  expect(said.length).toBeGreaterThan(4);
  expect(said.join("\n")).not.toContain(SECRET);
});
