/** The routes that are relayed: which there are, and what of a request is read and changed. */
import { readJson } from "../../../src/protocols/read-json.ts";
import { describe, expect, test } from "vitest";
import { relays } from "../../../src/protocols/relay/index.ts";
import { refusalOf } from "../../support/operations.ts";
import { callParts } from "../../support/replay.ts";

const NAMES = {
  "/tokenize": "tokenize",
  "/detokenize": "detokenize",
  "/v1/embeddings": "embeddings",
  "/pooling": "pooling",
  "/classify": "classify",
  "/score": "score",
  "/v1/score": "score",
  "/rerank": "rerank",
  "/v1/rerank": "rerank",
  "/v2/rerank": "rerank",
};

test("these are relayed, each to its own path, and no others", () => {
  expect(Object.fromEntries(relays.map(({ path, name }) => [path, name]))).toEqual(NAMES);
  expect(relays.every(({ path, originPath }) => path === originPath)).toBe(true);
});

describe.each(relays)("$path", (relay) => {
  const call = (body: string) => relay.read(readJson(body), callParts());

  test("reads the model alone, and changes its name alone", () => {
    const body = '{ "model":"mine", "input" : ["\\u0068i"], "seed":9223372036854775807, "x":1.0 }';
    expect(call(body)).toMatchObject({ kind: "relayed", model: "mine" });
    expect(call(body).forward("mine")).toBe(body);
    expect(call(body).forward("theirs")).toBe(body.replace("mine", "theirs"));
  });

  test("leaves it to the origin where none is named", () => {
    for (const body of ['{"tokens":[1]}', '{"model":"","tokens":[1]}', '{"model":null}', "{}"]) {
      expect(call(body).model).toBeUndefined();
      expect(call(body).forward(undefined)).toBe(body);
    }
  });

  test("takes the last of two models for the model", () => {
    expect(call('{"model":"one","model":"two"}').model).toBe("two");
  });

  test("refuses what is no JSON object", () => {
    expect(refusalOf(() => call("x"))).toBe("invalid_request 400 - The request body is not valid JSON.");
    expect(refusalOf(() => call("[]"))).toBe("invalid_request 400 - The request body must be a JSON object.");
  });
});
