import type { Part } from "./parse.ts";

/** The joined text of all parts of a kind. */
export function textOfParts(parts: readonly Part[], kind: "content" | "reasoning"): string {
  return parts.map((part) => (part.kind === kind ? part.text : "")).join("");
}

export interface WholeCall {
  name: string;
  arguments: string;
}

/** The calls in the order in which they began, their arguments joined. */
export function callsOfParts(parts: readonly Part[]): WholeCall[] {
  const calls = new Map<number, WholeCall>();
  for (const part of parts) {
    if (part.kind === "call") calls.set(part.index, { name: part.name, arguments: "" });
    const call = part.kind === "arguments" ? calls.get(part.index) : undefined;
    if (call !== undefined && part.kind === "arguments") call.arguments += part.text;
  }
  return [...calls.values()];
}
