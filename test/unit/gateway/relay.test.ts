/** An answer that is relayed: its bytes pass as they come, and one that fails is broken off. */
import { expect, test } from "vitest";
import type { Limits } from "../../../src/config/config.ts";
import { readConfig } from "../../../src/config/config.ts";
import { bytesAsFrames, RelayedAnswer, relayLimits } from "../../../src/gateway/relay.ts";

test("bytes pass as they come", () => {
  const answer = new RelayedAnswer();
  const bytes = new Uint8Array([123, 255, 125]);
  expect(answer.phase).toBe("opening");
  expect(answer.push(bytes)[0]).toBe(bytes);
  expect(answer.phase).toBe("open");
  expect(answer.end()).toEqual([]);
  expect(answer.phase).toBe("done");
  expect(answer.tokens).toBeUndefined();
});

test("a failure has no form inside JSON: the body is broken off", () => {
  const answer = new RelayedAnswer();
  answer.push(new Uint8Array([123]));
  expect(answer.fail()).toBeUndefined();
});

test("pieces are their own frames, and nothing waits for the end", () => {
  const piece = new Uint8Array([1, 2]);
  expect(bytesAsFrames.push(piece)).toEqual([piece]);
  expect(bytesAsFrames.push(piece)[0]).toBe(piece);
  expect(bytesAsFrames.end()).toEqual([]);
});

test("there is no keep-alive, no end to the hold, and as much time for the head as a whole answer has", () => {
  const limits: Limits = readConfig({ ORIGINS: [{ url: "http://a.test" }], ANSWER_TIMEOUT_MS: 700 }).limits;
  expect(relayLimits(limits)).toEqual({
    ...limits,
    holdMs: 2_147_483_647,
    keepAliveMs: 0,
    firstEventTimeoutMs: 700,
    totalTimeoutMs: 700,
  });
});

const encoder = new TextEncoder();

/** What comes of a relayed body in these pieces: its outputs, failures by their code. */
function relayed(...pieces: string[]): string[] {
  const answer = new RelayedAnswer();
  const outputs = [...pieces.flatMap((piece) => answer.push(encoder.encode(piece))), ...answer.end()];
  return outputs.map((output) => ("code" in output ? output.code : new TextDecoder().decode(output)));
}

test.for([
  [["{}"], ["{}"]],
  [
    [" \n", "[1", "]\n"],
    [" \n", "[1", "]\n"],
  ],
  [[], ["origin_protocol"]],
  [["  "], ["  ", "origin_protocol"]],
  [['{"data":[1,2'], ['{"data":[1,2', "origin_cut"]],
] as const)("%j becomes %j", ([pieces, outputs]) => {
  expect(relayed(...pieces)).toEqual(outputs);
});

test("a page is no JSON, whatever it was called", () => {
  expect(new RelayedAnswer().push(encoder.encode("<html>"))).toMatchObject([{ code: "origin_protocol" }]);
});
