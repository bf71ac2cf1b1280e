/** Limits that are valid, and that real clients, models or networks would not get along with. */
import type { Limits } from "../../src/config/config.ts";
import { warning, type Finding } from "./finding.ts";

interface Floor {
  readonly setting: string;
  readonly of: keyof Limits;
  readonly atLeast: number;
  readonly unit: "ms" | "bytes";
  readonly why: string;
  /** What 0 means, where it is a trap. */
  readonly off?: string;
}

const FOREVER = "waits for ever: what hangs is never given up";

/**
 * 120 s is what Cloudflare itself allows an origin's silence, so a shorter timeout gives up what the network would have
 * let pass. An image in a request is about a megabyte, and some tool parsers send a whole call in one frame.
 */
const FLOORS: readonly Floor[] = [
  {
    setting: "FIRST_EVENT_TIMEOUT_MS",
    of: "firstEventTimeoutMs",
    atLeast: 120_000,
    unit: "ms",
    why: "a long prompt, or a queue, is minutes without a word",
    off: FOREVER,
  },
  {
    setting: "IDLE_TIMEOUT_MS",
    of: "idleTimeoutMs",
    atLeast: 120_000,
    unit: "ms",
    why: "vLLM may hold a whole tool call back",
    off: FOREVER,
  },
  {
    setting: "ANSWER_TIMEOUT_MS",
    of: "answerTimeoutMs",
    atLeast: 120_000,
    unit: "ms",
    why: "a whole answer comes only when all of it is there",
    off: FOREVER,
  },
  {
    setting: "CLIENT_STALL_TIMEOUT_MS",
    of: "clientStallTimeoutMs",
    atLeast: 60_000,
    unit: "ms",
    why: "a client that is busy with what it got takes nothing for a while",
    off: FOREVER,
  },
  {
    setting: "TOTAL_TIMEOUT_MS",
    of: "totalTimeoutMs",
    atLeast: 600_000,
    unit: "ms",
    why: "a long answer takes minutes, and is cut however well it goes",
  },
  {
    setting: "BODY_TIMEOUT_MS",
    of: "bodyTimeoutMs",
    atLeast: 10_000,
    unit: "ms",
    why: "a phone sends a long prompt slowly",
    off: FOREVER,
  },
  {
    setting: "MAX_BODY_BYTES",
    of: "maxBodyBytes",
    atLeast: 1_048_576,
    unit: "bytes",
    why: "a long conversation, or one image, is a longer request",
  },
  {
    setting: "MAX_FRAME_BYTES",
    of: "maxFrameBytes",
    atLeast: 65_536,
    unit: "bytes",
    why: "a tool call may come in one frame",
  },
  {
    setting: "MAX_RESPONSE_BYTES",
    of: "maxResponseBytes",
    atLeast: 1_048_576,
    unit: "bytes",
    why: "embeddings and log-probabilities are longer",
  },
];

/** Load balancers and proxies end a connection after 60 s of silence by default. */
const SILENCE_MS = 55_000;

/** Finds limits that are lower, or longer, than what a deployed gateway should have. */
export function checkLimits(limits: Limits): Finding[] {
  return [...FLOORS.flatMap((floor) => checkFloor(floor, limits[floor.of])), ...checkSilence(limits)];
}

function checkFloor({ setting, atLeast, unit, why, off }: Floor, value: number): Finding[] {
  if (value === 0) return off === undefined ? [] : [warning(`${setting}: 0 ${off}.`)];
  return value < atLeast ? [warning(`${setting}: less than ${atLeast} ${unit}, and ${why}.`)] : [];
}

function checkSilence({ holdMs, keepAliveMs }: Limits): Finding[] {
  const ended = "proxies on the way to the client end a connection that is silent for 60 s";
  const found: Finding[] = [];
  if (holdMs === 0)
    found.push(warning("HOLD_MS: 0. What fails before the first word is told as 200 and an error event."));
  if (holdMs > SILENCE_MS) found.push(warning(`HOLD_MS: more than ${SILENCE_MS} ms, and ${ended}.`));
  if (keepAliveMs === 0) found.push(warning(`KEEPALIVE_MS: 0. Nothing breaks a silence, and ${ended}.`));
  if (keepAliveMs > SILENCE_MS) found.push(warning(`KEEPALIVE_MS: more than ${SILENCE_MS} ms, and ${ended}.`));
  return found;
}
