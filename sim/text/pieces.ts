/**
 * The simulated tokenizer. Words with their leading space are tokens, punctuation and line breaks are, a character
 * outside ASCII is one token per UTF-8 byte. Ids of single bytes are the recorded tokenizer's; other ids are a hash.
 */
export interface Piece {
  id: number;
  /** The bytes that the token adds to the text. */
  bytes: Uint8Array;
  /** Left out of the text by default: `<|…|>` marks. */
  special: boolean;
}

export const END: Piece = { id: 2, bytes: Buffer.from("<|im_end|>"), special: true };

export const VOCABULARY = 6022;

// A mark is a token of its own even right after a space.
const PATTERN =
  /<\/?(?:think|tool_call)>|<\|\w+\|>|[ \t]+(?=<(?:\/?(?:think|tool_call)>|\|))| ?[A-Za-z]{1,12}| ?\d{1,3}| ?[!-/:-@[-`{-~]|[ \t]+|[\s\S]/gu;

/** The tokens of a text, in order. An empty text has none. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [word] of text.matchAll(PATTERN)) {
    const bytes = Buffer.from(word);
    if (word.charCodeAt(0) > 127) {
      for (const byte of bytes) pieces.push({ id: byteId(byte), bytes: Uint8Array.of(byte), special: false });
    } else {
      pieces.push({ id: idOf(word, bytes), bytes, special: word.startsWith("<|") });
    }
  }
  return pieces;
}

/** The tokens for recorded ids: bytes where an id names one, a word of its own for any other. */
export function piecesOfIds(ids: readonly number[]): Piece[] {
  return ids.map((id) => {
    if (id === END.id) return END;
    const byte = BYTES.findIndex((known) => known === id);
    return { id, bytes: byte < 0 ? Buffer.from(` w${id}`) : Uint8Array.of(byte), special: false };
  });
}

/** The text of tokens; marks are left out. */
export function textOf(pieces: readonly Piece[]): string {
  return Buffer.concat(pieces.map((piece) => (piece.special ? Buffer.alloc(0) : piece.bytes))).toString();
}

/** How a tokenizer file spells a token: each byte as a printable character. */
export function spellingOf(piece: Piece): string {
  return [...piece.bytes].map((byte) => String.fromCodePoint(printable(byte) ? byte : 256 + orderOf(byte))).join("");
}

function idOf(word: string, bytes: Uint8Array): number {
  if (word === "<|im_start|>") return 1;
  if (word === "<|im_end|>") return END.id;
  const [only] = bytes;
  if (only !== undefined && bytes.length === 1) return byteId(only);
  return 260 + (hash(word) % (VOCABULARY - 260));
}

/** A small stable hash (FNV-1a), unsigned. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

// Byte-level BPE numbers the printable bytes first, then the rest; three ids stand before them.
function printable(byte: number): boolean {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

/** The place of an unprintable byte among the unprintable ones. */
function orderOf(byte: number): number {
  return byte <= 32 ? byte : byte <= 160 ? byte - 127 + 33 : 67;
}

function byteId(byte: number): number {
  if (!printable(byte)) return 191 + orderOf(byte);
  return byte <= 126 ? byte - 30 : byte <= 172 ? byte - 64 : byte - 65;
}

const BYTES: readonly number[] = Array.from({ length: 256 }, (_, byte) => byteId(byte));
