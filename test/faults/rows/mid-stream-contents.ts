import { expect } from "vitest";
import { OPENAI, TELLING } from "../support/operations.ts";
import type { Case, Rows } from "../support/row.ts";
import type { AnswerStream } from "../support/stream.ts";
import { NORMAL, USAGE } from "./plain.ts";
import { unknownFields } from "./unknown-fields.ts";

const AS_PLAIN: readonly Case[] = [{ it: "the client gets the normal answer", gets: NORMAL }];

export const rows: Rows = {
  "tiny-packets": [
    { it: "the client gets the normal answer", in: OPENAI, gets: NORMAL },
    // Usage on every chunk makes three times as many packets.
    {
      it: "the client gets the answer",
      in: ["messages"],
      switches: "words=2",
      gets: { ...NORMAL, text: "Bees agree" },
    },
  ],
  burst: [
    {
      it: "the client gets all of the frames, in order",
      in: TELLING,
      gets: { ...NORMAL, text: numbers(2_000) },
    },
    {
      it: "the client gets all of the frames",
      in: ["generate"],
      gets: { frames: NORMAL.frames, also: (stream: AnswerStream) => expect(stream.chunks).toHaveLength(2_001) },
    },
  ],
  crlf: AS_PLAIN,
  cr: AS_PLAIN,
  "mixed-eol": AS_PLAIN,
  bom: AS_PLAIN,
  "no-space": AS_PLAIN,
  "multi-data": AS_PLAIN,
  ids: AS_PLAIN,
  "foreign-id": [
    {
      it: "the client gets one id, one time of creation and its own name of the model",
      request: USAGE,
      gets: { frames: ["role", "text", "finish stop", "usage", "done"], also: expectOneEnvelope },
    },
  ],
  "unknown-fields": unknownFields,
  "null-delta": [{ it: "the client gets the normal answer", gets: NORMAL }],
  "no-choices": [{ it: "the client gets the normal answer", gets: NORMAL }],
  long: [
    {
      it: "the client gets all of the 100,000 events, in order",
      in: ["chat"],
      dialects: ["python"],
      gets: { ...NORMAL, text: numbers(100_000) },
    },
    {
      it: "the client gets all of the 10,000 events, in order",
      in: ["completions"],
      dialects: ["python"],
      switches: "events=10000",
      gets: { ...NORMAL, text: numbers(10_000) },
    },
    {
      it: "the client gets all of the 4,000 events, in order",
      in: ["messages"],
      dialects: ["python"],
      switches: "events=4000",
      gets: { ...NORMAL, text: numbers(4_000) },
    },
    {
      it: "the client gets all of the 10,000 events",
      in: ["generate"],
      dialects: ["python"],
      switches: "events=10000",
      gets: { frames: NORMAL.frames, also: (stream: AnswerStream) => expect(stream.chunks).toHaveLength(10_001) },
    },
  ],
};

function numbers(count: number): string {
  return Array.from({ length: count }, (_, number) => ` ${number}`).join("");
}

function expectOneEnvelope({ chunks, operation }: AnswerStream): void {
  const envelopes = chunks.map(({ id, created, object }) => JSON.stringify({ id, created, object }));
  expect(new Set(envelopes).size).toBe(1);
  // A generate stream of either server has no model at all.
  const model = operation === "generate" ? undefined : expect.stringMatching(/^sim\/foreign-id/);
  expect(new Set(chunks.map((chunk) => chunk.model))).toEqual(new Set([model]));
}
