/** The switches of a model name (`sim/chat?usage=none&words=5`). Absent ones take the default in the comment. */
export interface Switches {
  /** What usage is sent whatever was asked (default: as asked). */
  usage?: "none" | "final" | "continuous" | "forced";
  /** The key of reasoning in deltas and messages; `none` leaves reasoning out (default "reasoning"). */
  reasoning?: "reasoning" | "reasoning_content" | "none";
  /** Where the finish stands (default: as the dialect does it). */
  finish?: "merged" | "separate";
  tokens_per_chunk?: number;
  /** How a call's arguments are cut (default "token"). */
  tools?: "token" | "whole" | "late-args";
  empty_deltas?: boolean;
  /** Milliseconds of silence before a comment (default: no comments). */
  keepalive_ms?: number;
  prefill_ms?: number;
  head_ms?: number;
  /** 200, then an error event with this code. */
  error?: number;
  error_after?: number;
  cut_after?: number;
  /** `prompt_tokens_details` in the usage. */
  details?: boolean;
  /** Prompt tokens that were cached, with `details` (default 0). */
  cached?: number;
  /** `system_fingerprint` (default: the recorded one); `none` leaves it out. */
  fingerprint?: string;
  /** Bytes in each TCP packet. */
  split?: number;
  pace_ms?: number;
  words?: number;
  gate?: string;
  /** Which parsers the server was started with (default "both"). */
  parsers?: "none" | "tools" | "reasoning" | "both";
  /** Started without `--enable-scale-out`: generate is refused, or unknown as in older versions (default "on"). */
  scale_out?: "on" | "off" | "absent";
  /** `--enable-request-id-headers`. */
  request_id_headers?: boolean;
  /** For faults: another spelling, another status, after how many tokens, how many events or bytes, what to keep apart. */
  as?: string;
  status?: number;
  at?: number;
  events?: number;
  size?: number;
  key?: string;
}

type Reader = (text: string) => string | number | boolean | undefined;

const oneOf =
  (...words: string[]): Reader =>
  (text) =>
    words.includes(text) ? text : undefined;
const count: Reader = (text) => (/^\d{1,10}$/.test(text) ? Number(text) : undefined);
const positive: Reader = (text) => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined);
const flag: Reader = (text) => (text === "1" || text === "true" ? true : text === "0" ? false : undefined);
const word: Reader = (text) => (text === "" ? undefined : text);

const READERS: { readonly [name in keyof Switches]-?: Reader } = {
  usage: oneOf("none", "final", "continuous", "forced"),
  reasoning: oneOf("reasoning", "reasoning_content", "none"),
  finish: oneOf("merged", "separate"),
  tokens_per_chunk: positive,
  tools: oneOf("token", "whole", "late-args"),
  empty_deltas: flag,
  keepalive_ms: positive,
  prefill_ms: count,
  head_ms: count,
  error: (text) => (["400", "500", "503"].includes(text) ? Number(text) : undefined),
  error_after: count,
  cut_after: count,
  details: flag,
  cached: count,
  fingerprint: word,
  split: positive,
  pace_ms: count,
  words: positive,
  gate: word,
  parsers: oneOf("none", "tools", "reasoning", "both"),
  scale_out: oneOf("on", "off", "absent"),
  request_id_headers: flag,
  as: word,
  status: positive,
  at: count,
  events: positive,
  size: positive,
  key: word,
};

const readers: ReadonlyMap<string, Reader> = new Map(Object.entries(READERS));

const SWITCH_NAMES = Object.keys(READERS);

/** The switches of a query string, or a sentence saying which one is unknown or has a bad value. */
export function readSwitches(query: string): { switches: Switches } | { wrong: string } {
  const switches: Record<string, string | number | boolean> = {};
  for (const [name, text] of new URLSearchParams(query)) {
    const reader = readers.get(name);
    if (reader === undefined) {
      return { wrong: `Unknown switch \`${name}\` in the model's name. Known: ${SWITCH_NAMES.join(", ")}.` };
    }
    const value = reader(text);
    if (value === undefined) return { wrong: `The switch \`${name}\` cannot be \`${text}\`.` };
    switches[name] = value;
  }
  return { switches };
}
