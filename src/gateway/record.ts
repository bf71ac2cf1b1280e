/** What is known of one request when it has ended, for whoever watches. Holds no body, no key and no prompt. */
import type { Tokens } from "../core/machine.ts";
import type { Trace } from "../core/trace.ts";
import type { Ending } from "../stream/ending.ts";
import type { Seen } from "../stream/pump.ts";

export interface Record extends Partial<Seen> {
  readonly id: string;
  readonly operation: string;
  /** OpenTelemetry's name of what the operation does, where it has one. */
  readonly genAiName?: string | undefined;
  readonly trace: Trace;
  readonly startedAt: number;
  /** The name of the caller's key. */
  caller?: string;
  /** As the client named it. */
  model?: string;
  stream?: boolean;
  /** HTTP status of the head that went out; none when the client left before. */
  status?: number;
  /** The address of the origin that was asked last. */
  origin?: string;
  /** How many attempts were made at the origins. */
  attempts?: number;
  /** Milliseconds for which the response's head waited for the origin's first word. */
  heldMs?: number;
  tokens?: Tokens;
  finishReasons?: readonly string[];
}

/** The same in the units and words of those who read it: times in seconds, as OpenTelemetry has them. */
export interface Summary {
  readonly duration: number;
  readonly timeToHead: number | undefined;
  readonly timeToFirstChunk: number | undefined;
  readonly timeToFirstToken: number | undefined;
  readonly timePerToken: number | undefined;
  readonly hold: number | undefined;
  readonly model: string | undefined;
  readonly finishReasons: readonly string[] | undefined;
  readonly stage: string | undefined;
  readonly error: string | undefined;
}

/** A model's name is the client's text: a longer one is cut. */
const MAX_MODEL_LENGTH = 200;
/** So is a finish reason, which is the origin's: those that exist are shorter. */
const MAX_REASON_LENGTH = 40;
/** A request may have thousands of choices. */
const MAX_REASONS = 16;

export function summarize(record: Record, ending: Ending, endedAt: number): Summary {
  const { startedAt, stream = false, finishReasons = [] } = record;
  const since = (at: number | undefined): number | undefined =>
    at === undefined ? undefined : seconds(at - startedAt);
  const reasons = finishReasons.slice(0, MAX_REASONS).map((reason) => reason.slice(0, MAX_REASON_LENGTH));
  return {
    duration: seconds(endedAt - startedAt),
    timeToHead: since(record.headAt),
    timeToFirstChunk: stream ? since(record.firstEventAt) : undefined,
    timeToFirstToken: stream ? since(record.firstWordAt) : undefined,
    timePerToken: stream ? timePerToken(record) : undefined,
    hold: record.heldMs === undefined ? undefined : seconds(record.heldMs),
    model: record.model?.slice(0, MAX_MODEL_LENGTH),
    finishReasons: reasons.length === 0 ? undefined : reasons,
    stage: ending.kind === "client_left" ? ending.stage : undefined,
    error: ending.kind === "failed" ? ending.error.code : undefined,
  };
}

/** The first token takes the time of the prompt; this is the time of each one after it, over all choices together. */
function timePerToken({ firstWordAt, lastEventAt, tokens }: Record): number | undefined {
  if (firstWordAt === undefined || lastEventAt === undefined || tokens === undefined) return undefined;
  return tokens.completion < 2 ? undefined : seconds((lastEventAt - firstWordAt) / (tokens.completion - 1));
}

/** To the microsecond: what is finer is noise. */
function seconds(ms: number): number {
  return Math.round(ms * 1_000) / 1_000_000;
}
