import { expect, test } from "vitest";
import { formatEnv } from "../../scripts/start/env-file.ts";
import { readPort } from "../../scripts/start/port.ts";
import { readSettings, SETTINGS, unknownNames, withSimulatedOrigin } from "../../scripts/start/settings.ts";
import { NOT_BUILT_YET, settingsSchema } from "../../src/config/schema.ts";

test("npm start hands on every setting that the Worker knows, and those that it knows not to have yet", () => {
  expect(SETTINGS.toSorted()).toEqual([...Object.keys(settingsSchema.shape), ...NOT_BUILT_YET].toSorted());
});

test("the environment comes before .dev.vars; other names are nobody's setting", () => {
  const environment = { HOLD_MS: "1", PATH: "/bin", API_KEYS: "" };
  const devVars = { HOLD_MS: "2", KEEPALIVE_MS: "3", API_KEYS: "{}", ORIGIN: "x" };
  expect(readSettings(environment, devVars)).toEqual({ HOLD_MS: "1", KEEPALIVE_MS: "3", API_KEYS: "" });
  expect(unknownNames(devVars)).toEqual(["ORIGIN"]);
});

test("the simulated origin comes last, and opens the door only where nothing is said of it", () => {
  const ORIGINS = '[{"url":"http://sim"}]';
  expect(withSimulatedOrigin({ ORIGINS: "", ALLOW_ANONYMOUS: "" }, "http://sim")).toEqual({
    ORIGINS,
    ALLOW_ANONYMOUS: "true",
  });
  expect(withSimulatedOrigin({ ALLOW_ANONYMOUS: "false" }, "http://sim")).toEqual({
    ORIGINS,
    ALLOW_ANONYMOUS: "false",
  });
  expect(withSimulatedOrigin({ API_KEYS: "{}" }, "http://sim")).toEqual({ ORIGINS, API_KEYS: "{}" });
});

test("a value is quoted so that it is read back as it was, or refused by its setting's name", () => {
  expect(formatEnv({ A: "1", B: "", C: `{"it's": "$5"}` })).toBe("A='1'\nB=''\nC=`{\"it's\": \"\\$5\"}`\n");
  expect(formatEnv({ A: "'`", B: "ends\\", C: "a'`\"b" })).toBe('A="\'`"\nB=ends\\\nC=a\'`"b\n');
  expect(() => formatEnv({ SECRET: "a'`\"#" })).toThrow(/^SECRET /);
});

test.each(["0", "65536", "80.5", "-1", "http", " 80"])("PORT=%j is refused", (text) => {
  expect(() => readPort(text)).toThrow(/^PORT must be a number from 1 to 65535/);
});

test("PORT is 8787 unless it is given", () => {
  expect([readPort(undefined), readPort(""), readPort("1"), readPort("65535")]).toEqual([8787, 8787, 1, 65_535]);
});
