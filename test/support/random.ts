/** Returns numbers in [0, 1) that depend on `seed` alone (mulberry32). */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns `bytes` in pieces of one to `longest` bytes. */
export function randomPieces(bytes: Uint8Array, random: Random, longest = 16): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + Math.floor(random() * longest);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
