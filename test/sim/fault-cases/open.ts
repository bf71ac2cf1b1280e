/** Faults that leave the socket open, with what must have come by then. */
export const OPEN: Record<string, (text: string) => boolean> = {
  silent: () => true,
  "error-mid-open": (text) => /"error": \{"message"/.test(text),
  stall: (text) => (text.match(/"(content|text)":"[^"]|"token_ids":\[\d/g)?.length ?? 0) === 3,
  "stall-comments?keepalive_ms=5": (text) => (text.match(/: keep-alive/g)?.length ?? 0) > 3,
  "no-done-open": (text) => text.includes('"finish_reason":"stop"'),
};
