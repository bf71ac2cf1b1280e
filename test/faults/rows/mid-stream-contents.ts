import { expect } from "vitest";
import type { Chunk } from "../support/chunks.ts";
import type { Case, Rows } from "../support/row.ts";
import type { ChatStream } from "../support/stream.ts";
import { NORMAL, NORMAL_WHOLE, USAGE } from "./plain.ts";

const AS_PLAIN: readonly Case[] = [{ it: "the client gets the normal answer", gets: NORMAL }];

export const rows: Rows = {
  "tiny-packets": AS_PLAIN,
  burst: [
    {
      it: "the client gets all of the frames, in order",
      gets: { ...NORMAL, text: Array.from({ length: 2_000 }, (_, number) => ` ${number}`).join("") },
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
  "unknown-fields": [
    {
      it: "they arrive at every level, those of the finish's delta in a frame before it",
      request: USAGE,
      gets: { frames: ["role", "text", "nothing", "finish stop", "usage", "done"], also: expectUnknownFields },
    },
    {
      it: "those of a usage that nobody asked for arrive with the finish",
      gets: {
        frames: ["role", "text", "nothing", "finish stop", "done"],
        also: ({ chunks }: ChatStream) => expect(chunks.at(-1)).toMatchObject({ x_sim: UNKNOWN }),
      },
    },
    { it: "they arrive at every level", whole: true, gets: { ...NORMAL_WHOLE, also: expectUnknownFieldsInWhole } },
  ],
  "null-delta": [{ it: "the client gets the normal answer", gets: NORMAL }],
  "no-choices": [{ it: "the client gets the normal answer", gets: NORMAL }],
  long: [
    {
      it: "the client gets all of the 100,000 events, in order",
      dialects: ["python"],
      gets: { ...NORMAL, text: Array.from({ length: 100_000 }, (_, number) => ` ${number}`).join("") },
    },
  ],
};

function expectOneEnvelope({ chunks }: ChatStream): void {
  const envelopes = chunks.map(({ id, created, object }) => JSON.stringify({ id, created, object }));
  expect(new Set(envelopes).size).toBe(1);
  expect(new Set(chunks.map(({ model }) => model))).toEqual(new Set([expect.stringMatching(/^sim\/foreign-id/)]));
}

const UNKNOWN = { since: "0.99", tags: ["é", null] };

function expectUnknownFields({ chunks }: ChatStream): void {
  const [finish, ...others] = chunks.toSorted((one, other) => hasFinish(other) - hasFinish(one));
  expect(finish?.choices).toMatchObject([{ finish_reason: "stop", delta: {} }]);
  for (const chunk of others) expect(chunk).toMatchObject({ x_sim: UNKNOWN });
  for (const choice of others.flatMap(({ choices = [] }) => choices)) {
    expect(choice).toMatchObject({ x_sim: UNKNOWN, delta: { x_sim: UNKNOWN } });
  }
  expect(chunks.at(-1)?.usage).toMatchObject({ x_sim: UNKNOWN });
}

function hasFinish({ choices = [] }: Chunk): number {
  return choices.some(({ finish_reason: finish }) => finish) ? 1 : 0;
}

function expectUnknownFieldsInWhole(body: string): void {
  const marked = { x_sim: UNKNOWN };
  const usage = expect.objectContaining(marked);
  const message = expect.objectContaining(marked);
  expect(JSON.parse(body)).toMatchObject({ ...marked, usage, choices: [{ ...marked, message }] });
}
