/** What the simulated model says, and the answers that most rows come to. */
import type { StreamResponse, WholeResponse } from "../support/row.ts";

/** `words=6` of an answer to the suite's prompt; the second choice begins with "When". */
export const ALL = "Bees agree on a new home";
/** As far as an origin comes that stops after three tokens. */
export const THREE = "Bees agree on";
export const OTHER = "When the night train crosses the";
/** The second choice of generate, by its ids: its prompt is the same, and its words are others. */
export const OTHER_IDS = " #1423 #2698 #3823 #1091 #1695 #2698";

/** The normal answer, streamed and whole. */
export const NORMAL: StreamResponse = { frames: ["role", "text", "finish stop", "done"], text: ALL };
export const NORMAL_WHOLE: WholeResponse = { answer: { finish: "stop", text: ALL } };

/** Three tokens, then an error in the stream. */
export function failsAfterThree(code: string, more: Partial<StreamResponse> = {}): StreamResponse {
  return { frames: ["role", "text", `error ${code}`, "done"], text: THREE, error: { code }, ...more };
}

export const USAGE = { stream_options: { include_usage: true } };
