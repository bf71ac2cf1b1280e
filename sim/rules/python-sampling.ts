import { listAt, objectAt } from "../json.ts";
import { plain, bad, range, outsideTwo, float } from "./python-refusals.ts";
import type { Rule } from "./rule.ts";

/** Sampling parameters out of their range. */
export const SAMPLING: readonly Rule[] = [
  (body) =>
    range(
      body,
      "n",
      (n) => n < 1,
      (n) => plain(`n must be at least 1, got ${n}.`),
    ),
  (body) =>
    range(
      body,
      "n",
      (n) => n > 16_384,
      (n) =>
        plain(
          `n must be at most 16384, got ${n}. To increase this limit, set the VLLM_MAX_N_SEQUENCES environment variable.`,
        ),
    ),
  (body) =>
    range(body, "presence_penalty", outsideTwo, (v) => plain(`presence_penalty must be in [-2, 2], got ${float(v)}.`)),
  (body) =>
    range(body, "frequency_penalty", outsideTwo, (v) =>
      plain(`frequency_penalty must be in [-2, 2], got ${float(v)}.`),
    ),
  (body) =>
    range(
      body,
      "repetition_penalty",
      (v) => v <= 0,
      (v) => plain(`repetition_penalty must be greater than zero, got ${float(v)}.`),
    ),
  (body) =>
    range(
      body,
      "temperature",
      (v) => v < 0,
      (v) => bad(`temperature must be non-negative, got ${float(v)}.`, "temperature", float(v)),
    ),
  (body) =>
    range(
      body,
      "top_p",
      (v) => v <= 0 || v > 1,
      (v) => bad(`top_p must be in (0, 1], got ${float(v)}.`, "top_p", float(v)),
    ),
  (body) =>
    range(
      body,
      "top_k",
      (v) => v < -1,
      (v) => plain(`top_k must be 0 (disable), or at least 1, got ${v}.`),
    ),
  (body) =>
    range(
      body,
      "min_p",
      (v) => v < 0 || v > 1,
      (v) => plain(`min_p must be in [0, 1], got ${float(v)}.`),
    ),
  (body) =>
    range(
      body,
      "max_tokens",
      (v) => v < 1,
      (v) => bad(`max_tokens must be at least 1, got ${v}.`, "max_tokens", v),
    ),
  (body) => (listAt(body, "stop").includes("") ? plain("stop cannot contain an empty string.") : undefined),
  (body) =>
    listAt(body, "bad_words").includes("")
      ? plain("bad_words cannot contain an empty string. Got bad_words=['']")
      : undefined,
  (body) => {
    const keys = Object.keys(objectAt(body, "logit_bias") ?? {}).filter((key) => !/^\d+$/.test(key));
    if (keys.length === 0) return undefined;
    const list = `[${keys.map((key) => `'${key}'`).join(", ")}]`;
    return bad(`logit_bias contains key(s) that cannot be converted to integer token IDs: ${list}`, "logit_bias", list);
  },
];
