import type { Part, TextParser } from "../text/parse.ts";
import { END, type Piece } from "../text/pieces.ts";
import { createStopWatch } from "../text/stop.ts";
import type { Plan } from "./plan.ts";

/** What one step of the engine gives for one choice. */
export interface Output {
  choice: number;
  tokens: TokenText[];
  /** The text as it is, for a server without parsers. */
  text: string;
  parts: Part[];
  finish: Finish | null;
  /** The choice has made a tool call. */
  called: boolean;
  /** Tokens of this choice so far, and how many of them were reasoning. */
  completion: number;
  reasoning: number;
}

export interface Finish {
  reason: string;
  /** The stop string or stop token that matched. */
  stop: string | number | null;
}

/** A token with the text that it completes; empty inside a character of several tokens. */
export interface TokenText {
  piece: Piece;
  text: string;
  /** Characters of the text before it. */
  at: number;
}

const NOTHING = { tokens: [], text: "", parts: [], called: false, completion: 0, reasoning: 0 };

/** True for the first output of a choice. */
export function isFirst({ tokens, completion }: Output): boolean {
  return completion === tokens.length;
}

/** The outputs of one choice, in order, until it finishes. Empty texts are kept: some servers show them. */
export function* outputsOf(plan: Plan, choice: number, parser: TextParser): Generator<Output> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const watch = createStopWatch(plan.stops, plan.keepStop);
  const keepSpecial = plan.sampling["skip_special_tokens"] === false;
  let at = 0;
  let completion = 0;
  let reasoning = 0;
  let called = false;
  if (plan.limit === 0) yield { ...NOTHING, choice, finish: { reason: "length", stop: null } };
  for (const piece of plan.limit === 0 ? [] : (plan.choices[choice]?.pieces ?? [])) {
    completion += 1;
    const ends = piece === END && plan.sampling["ignore_eos"] !== true;
    const visible = !ends && (!piece.special || keepSpecial);
    const decoded = visible ? decoder.decode(piece.bytes, { stream: true }) : "";
    const byId = plan.stopIds.includes(piece.id) && !ends;
    const watched = byId ? { text: watch.rest(), matched: null } : watch.push(decoded, ends);
    const finish = finishFor(ends, byId ? piece.id : watched.matched, completion >= plan.limit);
    // What the stop strings held back is let go with the last token.
    const text = watched.text + (finish !== null && watched.matched === null ? watch.rest() : "");
    const parts = parseText(parser, text, finish !== null && watched.matched === null);
    if (parts.some((part) => part.kind === "reasoning")) reasoning += 1;
    if (parts.some((part) => part.kind === "call")) called = true;
    const tokens = [{ piece, text: decoded, at }];
    at += decoded.length;
    yield { choice, tokens, text, parts, finish, called, completion, reasoning };
    if (finish !== null) return;
  }
}

function finishFor(ends: boolean, stop: string | number | null, full: boolean): Finish | null {
  if (stop !== null) return { reason: "stop", stop };
  if (ends) return { reason: "stop", stop: null };
  return full ? { reason: "length", stop: null } : null;
}

function parseText(parser: TextParser, text: string, over: boolean): Part[] {
  return [...(text === "" ? [] : parser.push(text)), ...(over ? parser.end() : [])];
}

/**
 * Joins outputs of one choice: the first alone, then `stride` tokens each, as `stream_interval` does it. Infinity
 * joins all of them, the first too.
 */
export function* grouped(outputs: Iterable<Output>, stride: number): Generator<Output> {
  let group: Output | undefined;
  let size = 0;
  let first = stride !== Infinity;
  for (const output of outputs) {
    group = group === undefined ? output : joined(group, output);
    size += 1;
    if (first || size >= stride || output.finish !== null) {
      yield group;
      group = undefined;
      size = 0;
      first = false;
    }
  }
  if (group !== undefined) yield group;
}

export function joined(before: Output, after: Output): Output {
  return {
    ...after,
    tokens: [...before.tokens, ...after.tokens],
    text: before.text + after.text,
    parts: [...before.parts, ...after.parts],
  };
}

/** Outputs of several choices, one of each in turn. */
export function* interleaved(choices: Iterable<Output>[]): Generator<Output> {
  const open = choices.map((choice) => choice[Symbol.iterator]());
  while (open.length > 0) {
    for (const iterator of open.slice()) {
      const next = iterator.next();
      if (next.done === true) open.splice(open.indexOf(iterator), 1);
      else yield next.value;
    }
  }
}
