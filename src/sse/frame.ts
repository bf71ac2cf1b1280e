/** One SSE record that carries data. Comments and records without data are no frames. */
export interface Frame {
  /** The record's data, its lines joined by LF. */
  readonly data: string;
  /** The record's `event:`, where it has one. */
  readonly event?: string;
  /**
   * The record as it came, when it is spelled as vLLM spells it (`data: ` and one line, ended by two LF) and may
   * leave untouched; `undefined` for every other legal spelling.
   */
  readonly bytes: Uint8Array | undefined;
  /** The input ended before the record's blank line: the data may be cut. */
  readonly unterminated: boolean;
}
