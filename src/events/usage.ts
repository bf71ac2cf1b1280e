/** What an answer cost, in tokens. */
export interface Usage {
  /** All of the prompt, what was read from a cache and written to one included. */
  readonly prompt: number;
  readonly completion: number;
  /** Of the prompt, what a cache already held; `undefined` when the origin does not tell. */
  readonly cached: number | undefined;
  /** Of the prompt, what was written to a cache; `undefined` when the origin does not tell. */
  readonly written: number | undefined;
  /** Of the completion, what was reasoning; `undefined` when the origin does not tell. */
  readonly reasoning: number | undefined;
  /** Nobody counted: the numbers are made from lengths. */
  readonly estimated: boolean;
}
