/** Messages made to be slow to read: what is read of them is bounded by lengths and tries, not by the message. */
import { describe, expect, test } from "vitest";
import { readErrorChunk, readErrorResponse } from "../../../src/vllm/errors.ts";
import { clientSentence } from "../../../src/vllm/errors/sentence.ts";

const HEADER = "1 validation error:\n  ";
const MISSING = "{'type': 'missing', 'loc': 'body.messages', 'msg': 'Field required'}";
const REQUIRED = '"messages" is required.';

/** What a client reads of a complaint at the place `loc`. */
const at = (loc: string) => clientSentence(`${HEADER}{'type': 'missing', 'loc': ${loc}, 'msg': 'Field required'}`, "");

describe("a validation message", () => {
  test("is read as far as 8 KiB", () => {
    const pad = 8192 - HEADER.length - MISSING.length;
    expect(clientSentence(HEADER + " ".repeat(pad) + MISSING, undefined).message).toBe(REQUIRED);
    expect(clientSentence(HEADER + " ".repeat(pad + 2) + MISSING, undefined).message).not.toBe(REQUIRED);
  });

  test("is given up after a number of complaints, also of broken ones", () => {
    for (const broken of ["{'type': ", "{'type': '', 'loc': (", "{'type': '', 'loc': '', 'msg': 1"]) {
      expect(clientSentence(HEADER + broken.repeat(3) + MISSING, undefined).message, broken).toBe(REQUIRED);
      expect(clientSentence(HEADER + broken.repeat(100) + MISSING, undefined).message, broken).not.toBe(REQUIRED);
    }
  });

  test("has short places", () => {
    expect(at(`('body', 'messages'${" ".repeat(200)})`).message).toBe(REQUIRED);
    expect(at(`('body', 'messages'${" ".repeat(300)})`).message).not.toBe(REQUIRED);
  });
});

describe("64 KiB are read at once", () => {
  const PIECES = [
    "{'type': ",
    "{'type': '",
    "{'type': \"",
    "{'type': '', 'loc': (",
    "{'type': '', 'loc': ('a',",
    "{'type': '', 'loc': '', 'msg': \"\\\"",
    "should be , unable to \r",
    " after validation, not \u2028",
    "model ",
    "maximum input length of ",
    "1,",
    "1, in the ",
    " at line 1",
    " at line 1 column 1",
    "a.b.",
    "a/b",
    "a/",
    "a-",
    "model a-",
    "lora ",
    "bearer ",
    "Aa",
    "0f",
    "[0].",
    "invalid a: ",
    "token_id(s) [",
    "`, expected `",
  ];
  const HEADS = [
    "",
    HEADER,
    "[{'type': ",
    "Value error, ",
    "Input should be ",
    "Failed to deserialize the JSON body into the target type: ",
    "Failed to deserialize the JSON body into the target type: unknown variant `",
    "n: Validation error: range [{",
    "The model ",
    "'max_tokens' or 'max_completion_tokens' is too large: ",
  ];
  // As long as all that is kept of an answer, and as long as all that is read of it.
  const ENDS = [65_536, 8192].flatMap((size) => ["", ")", "'", "x"].map((tail) => [size, tail] as const));

  // Whoever reads each piece to a distant end needs minutes for this sweep.
  test.each(PIECES)(
    "%j",
    (piece) => {
      for (const head of HEADS) {
        for (const [size, tail] of ENDS) {
          const room = size - head.length - tail.length;
          const message = head + piece.repeat(Math.floor(room / piece.length)) + tail;
          for (const code of [400, 403, 404]) readErrorChunk({ message, code, param: "n" });
          expect(readErrorResponse({ status: 400, body: message }).message.length).toBeLessThanOrEqual(500);
        }
      }
    },
    2000,
  );

  test("places that lie in one another", () => {
    const loc = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
    const body = `{"detail":[{"msg":"Field required","loc":["body",${loc}]}]}`;
    expect(readErrorResponse({ status: 400, body }).message.length).toBeLessThanOrEqual(500);
  });
});
