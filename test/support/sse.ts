import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { GatewayError } from "../../src/core/errors.ts";
import type { Frame } from "../../src/sse/frame.ts";
import { SseParser } from "../../src/sse/parse.ts";
import type { Cut } from "./cuts.ts";

/** A frame as a test writes it down: its bytes as text, and what is false or absent left out. */
export interface ShownFrame {
  readonly data: string;
  readonly bytes?: string;
  readonly unterminated?: true;
}

export interface ShownError {
  readonly error: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Parses `pieces` to their end. */
export function parsePieces(pieces: readonly Uint8Array[], maxFrameBytes = 1_000_000): (ShownFrame | ShownError)[] {
  const parser = new SseParser(maxFrameBytes);
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()].map(show);
}

export function expectFrames(cut: Cut, expected: readonly (ShownFrame | ShownError)[], maxFrameBytes?: number): void {
  const frames = parsePieces(cut.pieces, maxFrameBytes);
  // Thousands of cuts: the assertion proper is only made for the one that fails.
  if (!isDeepStrictEqual(frames, expected)) expect(frames, cut.name).toEqual(expected);
}

function show(output: Frame | GatewayError): ShownFrame | ShownError {
  if (output instanceof GatewayError) return { error: output.code };
  return {
    data: output.data,
    ...(output.bytes && { bytes: decoder.decode(output.bytes) }),
    ...(output.unterminated && { unterminated: true as const }),
  };
}
