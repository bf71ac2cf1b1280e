/**
 * Ids of tool calls. Clients of this protocol expect `toolu_…` and send it back with the result; the origin wants its
 * own id there. Nothing is remembered between the two requests, so the client's id carries the origin's.
 */

const PREFIX = "toolu_";
/** Begins an id whose rest is hex, since the origin's has characters that the protocol does not allow. */
const ESCAPE = "x_";
/** Begins hex of UTF-16: no UTF-8 has this byte. */
const UTF16_MARK = "ff";

/** Returns the client's form of an origin's id: `toolu_` and letters, digits, `_` and `-`. */
export function toClientId(originId: string): string {
  return PREFIX + (/^[A-Za-z0-9_-]+$/.test(originId) && !originId.startsWith(ESCAPE) ? originId : escape(originId));
}

/** Returns the origin's form of a client's id. An id that is not of our making stays as it is. */
export function toOriginId(clientId: string): string {
  if (!clientId.startsWith(PREFIX) || clientId === PREFIX) return clientId;
  const id = clientId.slice(PREFIX.length);
  return id.startsWith(ESCAPE) ? (unescape(id.slice(ESCAPE.length)) ?? clientId) : id;
}

/** A half of a surrogate pair has no UTF-8, and JSON can hold one. */
function escape(id: string): string {
  if (id.isWellFormed()) return ESCAPE + toHex(new TextEncoder().encode(id), 2);
  const units = Array.from({ length: id.length }, (_, at) => id.charCodeAt(at));
  return ESCAPE + UTF16_MARK + toHex(units, 4);
}

function unescape(hex: string): string | undefined {
  if (hex.startsWith(UTF16_MARK)) {
    const units = fromHex(hex.slice(UTF16_MARK.length), 4);
    return units?.map((unit) => String.fromCharCode(unit)).join("");
  }
  const bytes = fromHex(hex, 2);
  if (!bytes) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

function toHex(numbers: Iterable<number>, width: number): string {
  return Array.from(numbers, (number) => number.toString(16).padStart(width, "0")).join("");
}

function fromHex(hex: string, width: number): number[] | undefined {
  if (hex.length % width !== 0 || !/^[0-9a-f]*$/.test(hex)) return undefined;
  return Array.from({ length: hex.length / width }, (_, at) =>
    Number.parseInt(hex.slice(at * width, (at + 1) * width), 16),
  );
}
