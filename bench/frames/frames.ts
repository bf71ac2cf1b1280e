/** What an origin says in one stream, in the order and the company in which vLLM says it. */

/** Frames that one step of the engine makes: written one after the other, with no pause between. */
export type Beat = readonly string[];

export interface Script {
  /** The frames of the first step, with whatever comes before the first word. */
  readonly opening: Beat;
  /** The step in the middle with this number, counted from 0. */
  readonly middle: (step: number) => Beat;
  /** The finish, and usage where it was asked for. */
  readonly closing: Beat;
}

export interface Ask {
  /** As the client wrote it, so that no frame needs changing for its sake. */
  readonly model: string;
  readonly usage: UsageAsked;
}

/** Where usage is to be told: nowhere, in a last frame of its own, or on each frame as well. */
export type UsageAsked = "none" | "last" | "each";

/** What the last frames say that the answer had. */
export const TOKENS = 201;

/** How many tokens have come with the step in the middle of this number: the opening had the first. */
export function tokensAt(step: number): number {
  return step + 2;
}

export function countsOf(prompt: number, completion: number): object {
  return { prompt_tokens: prompt, total_tokens: prompt + completion, completion_tokens: completion };
}

export function frame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

const WORDS = "Rain later today , 14 °C — bring a coat . The river rises past the old mill and 天気 は 雨 です".split(
  " ",
);

/** A token's worth of text, never the same for a while. */
export function word(step: number): string {
  return ` ${WORDS[step % WORDS.length]}`;
}
