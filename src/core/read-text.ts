import { ByteReader } from "./byte-reader.ts";

export interface ReadTextOptions {
  readonly maxBytes: number;
  /** Whether bytes that are not UTF-8 throw a TypeError; by default they become U+FFFD. */
  readonly fatal?: boolean;
  /** Called for each piece as it comes. */
  readonly onBytes?: () => void;
}

/**
 * Returns the whole of `body` as text. Throws a RangeError once it is longer than `maxBytes`, after cancelling it, and
 * rejects as the body does when that breaks.
 */
export async function readText(body: ReadableStream<Uint8Array>, options: ReadTextOptions): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: options.fatal ?? false, ignoreBOM: false });
  const reader = new ByteReader(body);
  let length = 0;
  let text = "";
  let came = 0;
  for (;;) {
    const { done, value } = await reader.read(came);
    if (done) return text + decoder.decode();
    options.onBytes?.();
    came = value.length;
    length += came;
    if (length > options.maxBytes) {
      reader.cancel().catch(() => {});
      throw new RangeError(`The body is longer than ${options.maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
