/**
 * Returns the finish reason that a choice ought to have, streamed or whole: the one that the origin `told`, but never
 * `stop` after calls, which some clients would not close; and where it told none, what was seen.
 */
export function chatFinish(
  told: string | undefined,
  seen: { readonly called: boolean; readonly limited: boolean },
): string {
  const unsaid = told === undefined || told === "stop" || told === "function_call";
  if (seen.called && unsaid) return "tool_calls";
  return told ?? (seen.limited ? "length" : "stop");
}
