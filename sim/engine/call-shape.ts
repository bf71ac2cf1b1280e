import type { Part } from "../text/parse.ts";
import type { Output } from "./outputs.ts";

/**
 * Cuts calls as other parsers do. `token`: as they come; `whole`: name and arguments in one piece; `late-args`: the
 * name first, then all the arguments at once.
 */
export function* cutCalls(outputs: Iterable<Output>, shape: "token" | "whole" | "late-args"): Generator<Output> {
  if (shape === "token") return yield* outputs;
  let held: Part[] = [];
  for (const output of outputs) {
    const parts: Part[] = [];
    for (const part of output.parts) {
      if (part.kind === "call") {
        parts.push(...joinedArguments(held));
        held = shape === "whole" ? [part] : [];
        if (shape === "late-args") parts.push(part);
      } else if (part.kind === "arguments") held.push(part);
      else {
        parts.push(...joinedArguments(held), part);
        held = [];
      }
    }
    if (output.finish !== null) parts.push(...joinedArguments(held));
    yield { ...output, parts };
  }
}

function joinedArguments(held: readonly Part[]): Part[] {
  const calls = held.filter((part) => part.kind === "call");
  const pieces = held.filter((part) => part.kind === "arguments");
  const [first] = pieces;
  if (first === undefined) return calls;
  return [...calls, { kind: "arguments", index: first.index, text: pieces.map((piece) => piece.text).join("") }];
}
