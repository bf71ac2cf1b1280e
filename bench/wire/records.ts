/** Server-sent records, counted as they come: how many say something, and whether the stream said that it is over. */

const GAP = Buffer.from("\n\n");
/** What a comment begins with. */
const COLON = 58;
/** What the last record begins with: of OpenAI's protocols and vLLM's, and of Anthropic's Messages. */
const LAST = ["data: [DONE]", "event: message_stop\n"].map((text) => Buffer.from(text));

export interface RecordCounter {
  /** How many of the records that `bytes` completes are events: comments and the terminator are none. */
  push(bytes: Buffer): number;
  /** Whether the terminator has come, and nothing after it. */
  readonly done: boolean;
}

export function createRecordCounter(): RecordCounter {
  let kept: Buffer | undefined;
  let done = false;
  return {
    push(bytes) {
      const all = kept ? Buffer.concat([kept, bytes]) : bytes;
      let events = 0;
      let from = 0;
      for (let end = all.indexOf(GAP); end >= 0; end = all.indexOf(GAP, from)) {
        const isEvent = all[from] !== COLON;
        // A second one is as wrong as any other record after the first.
        const isDone = isEvent && !done && isLast(all, from);
        if (isEvent) done = isDone;
        if (isEvent && !isDone) events += 1;
        from = end + GAP.length;
      }
      // A copy: what the socket gave is a part of a larger buffer that would stay with it.
      kept = from < all.length ? Buffer.from(all.subarray(from)) : undefined;
      if (kept) done = false;
      return events;
    },
    get done() {
      return done;
    },
  };
}

function isLast(bytes: Buffer, at: number): boolean {
  return LAST.some((text) => startsWith(bytes, at, text));
}

function startsWith(bytes: Buffer, at: number, text: Buffer): boolean {
  return bytes.compare(text, 0, text.length, at, Math.min(at + text.length, bytes.length)) === 0;
}
