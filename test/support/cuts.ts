/** The ways in which a network may cut bytes. Each has a name, to be shown when the test that uses it fails. */
import { randomPieces, seededRandom } from "./random.ts";

export interface Cut {
  readonly name: string;
  readonly pieces: readonly Uint8Array[];
}

/** With more than this many bytes, every pair of boundaries would take too long. */
const SHORT = 80;
const SEEDS = 20;

/** Every way below; pairs of boundaries only while `bytes` is short. */
export function* everyCut(bytes: Uint8Array): Generator<Cut> {
  yield whole(bytes);
  yield byteByByte(bytes);
  yield* everyBoundary(bytes);
  if (bytes.length <= SHORT) yield* everyPairOfBoundaries(bytes);
  for (let seed = 1; seed <= SEEDS; seed += 1) yield randomCut(bytes, seed);
}

export function whole(bytes: Uint8Array): Cut {
  return { name: "whole", pieces: [bytes] };
}

export function byteByByte(bytes: Uint8Array): Cut {
  return { name: "byte by byte", pieces: Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)) };
}

export function sevenBytes(bytes: Uint8Array): Cut {
  const count = Math.ceil(bytes.length / 7);
  return { name: "7 bytes each", pieces: Array.from({ length: count }, (_, at) => bytes.subarray(at * 7, at * 7 + 7)) };
}

function* everyBoundary(bytes: Uint8Array): Generator<Cut> {
  for (let at = 1; at < bytes.length; at += 1) {
    yield { name: `cut at ${at}`, pieces: [bytes.subarray(0, at), bytes.subarray(at)] };
  }
}

/** The middle piece may be empty, as a read may be. */
function* everyPairOfBoundaries(bytes: Uint8Array): Generator<Cut> {
  for (let first = 1; first < bytes.length; first += 1) {
    for (let second = first; second < bytes.length; second += 1) {
      const pieces = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
      yield { name: `cut at ${first} and ${second}`, pieces };
    }
  }
}

/** Cuts off pieces of the `sizes` that were recorded; what is left over is the last piece. */
export function recordedSizes(bytes: Uint8Array, sizes: readonly number[]): Cut {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    if (at >= bytes.length) break;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  if (at < bytes.length) pieces.push(bytes.subarray(at));
  return { name: `recorded sizes ${sizes.join(", ")}`, pieces };
}

export function randomCut(bytes: Uint8Array, seed: number): Cut {
  return { name: `random cuts, seed ${seed}`, pieces: randomPieces(bytes, seededRandom(seed)) };
}
