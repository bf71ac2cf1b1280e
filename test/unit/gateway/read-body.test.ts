import { expect, test } from "vitest";
import { readBody } from "../../../src/gateway/read-body.ts";
import { FakeClock } from "../../support/clock.ts";

const LIMITS = { bodyTimeoutMs: 1_000, maxBodyBytes: 1_024 };

async function read(headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer> = "{}"): Promise<unknown> {
  const request = new Request("http://gateway.test/", { method: "POST", headers, body: new Blob([body]) });
  try {
    return await readBody(request, LIMITS, new FakeClock());
  } catch (thrown) {
    if (thrown instanceof Error && "status" in thrown && "code" in thrown) return [thrown.status, thrown.code];
    throw thrown;
  }
}

test.for([
  ["application/json"],
  ["application/json; charset=utf-8"],
  ["Application/JSON"],
  ["application/vnd.api+json"],
])("a body of type %s is read", async ([type = ""]) => {
  expect(await read({ "content-type": type })).toBe("{}");
});

test.for([["text/plain"], ["application/x-www-form-urlencoded"], ["multipart/form-data"], ["application/jsonp"], [""]])(
  "a body of type %j is refused",
  async ([type = ""]) => {
    expect(await read({ "content-type": type })).toEqual([415, "unsupported_media_type"]);
  },
);

test("a body without a type is refused", async () => {
  expect(await read({})).toEqual([415, "unsupported_media_type"]);
});

test("a compressed body, and one that is too long, are refused", async () => {
  const json = { "content-type": "application/json" };
  expect(await read({ ...json, "content-encoding": "gzip" })).toEqual([415, "unsupported_media_type"]);
  expect(await read(json, new Uint8Array(1_024).fill(0x20))).toHaveLength(1_024);
  expect(await read(json, new Uint8Array(1_025))).toEqual([413, "request_too_large"]);
});
