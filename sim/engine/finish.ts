import { joined, type Output } from "./outputs.ts";

/**
 * Where the finish of a choice stands. `riding`: on whatever the last token shows; `alone`: on a frame of its own,
 * behind it; `merged`: on the last text, even where the model ended by itself.
 */
export type FinishPlace = "riding" | "alone" | "merged";

/** The outputs of one choice with its finish in its place. */
export function* finished(outputs: Iterable<Output>, place: FinishPlace): Generator<Output> {
  if (place === "riding") return yield* outputs;
  let before: Output | undefined;
  for (const output of outputs) {
    if (place === "alone") yield* output.finish === null ? [output] : apart(output);
    else if (before === undefined) before = output;
    else if (output.finish !== null && output.text === "") before = joined(before, output);
    else {
      yield before;
      before = output;
    }
  }
  if (before !== undefined) yield before;
}

/** The last token, then the finish without any. */
function apart(output: Output): Output[] {
  const finish = { ...output, tokens: [], text: "", parts: [] };
  return output.tokens.length === 0 ? [finish] : [{ ...output, finish: null }, finish];
}
