/** Fields that nobody heard of, at every level: chat has one more level than the others, which its finish may not have. */
import { expect } from "vitest";
import type { Chunk } from "../support/chunks.ts";
import type { OperationName } from "../support/operations.ts";
import type { Case } from "../support/row.ts";
import type { AnswerStream } from "../support/stream.ts";
import { ALL, NORMAL, NORMAL_WHOLE, USAGE } from "./plain.ts";

const UNKNOWN = { since: "0.99", tags: ["é", null] };
const MARKED = { x_sim: UNKNOWN };

const FLAT: readonly OperationName[] = ["completions", "generate"];

export const unknownFields: readonly Case[] = [
  {
    it: "they arrive at every level, those of the finish's delta in a frame before it",
    in: ["chat"],
    request: USAGE,
    gets: { frames: ["role", "text", "nothing", "finish stop", "usage", "done"], also: expectUnknownFields },
  },
  {
    it: "those of a usage that nobody asked for arrive with the finish",
    in: ["chat"],
    gets: { frames: ["role", "text", "nothing", "finish stop", "done"], also: expectThemLast },
  },
  // The protocol has its own fields alone.
  { it: "the client gets the normal answer", in: ["messages"], gets: NORMAL },
  {
    it: "they arrive at every level",
    in: ["chat"],
    whole: true,
    gets: { ...NORMAL_WHOLE, also: expectUnknownFieldsInWhole },
  },
  {
    it: "they arrive at every level",
    in: FLAT,
    request: USAGE,
    gets: { frames: ["text", "finish stop", "usage", "done"], text: ALL, also: expectThemEverywhere },
  },
  {
    it: "those of a usage that nobody asked for arrive with the finish",
    in: FLAT,
    gets: { frames: ["text", "finish stop", "done"], text: ALL, also: expectThemLast },
  },
  {
    it: "they arrive at every level",
    in: FLAT,
    whole: true,
    gets: {
      ...NORMAL_WHOLE,
      also: (body: string) => expect(JSON.parse(body)).toMatchObject({ ...MARKED, choices: [MARKED] }),
    },
  },
];

function expectThemLast({ chunks }: AnswerStream): void {
  expect(chunks.at(-1)).toMatchObject(MARKED);
}

function expectThemEverywhere({ chunks }: AnswerStream): void {
  for (const chunk of chunks) expect(chunk).toMatchObject(MARKED);
  for (const choice of chunks.flatMap(({ choices = [] }) => choices)) expect(choice).toMatchObject(MARKED);
  expect(chunks.at(-1)?.usage).toMatchObject(MARKED);
}

function expectUnknownFields({ chunks }: AnswerStream): void {
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
  const usage = expect.objectContaining(MARKED);
  const message = expect.objectContaining(MARKED);
  expect(JSON.parse(body)).toMatchObject({ ...MARKED, usage, choices: [{ ...MARKED, message }] });
}
