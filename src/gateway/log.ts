import type { Tokens } from "../core/machine.ts";
import type { Ending } from "../stream/ending.ts";

/** What is known of one request when it has ended. Holds no body, no key and no prompt. */
export interface Record {
  readonly id: string;
  readonly operation: string;
  /** The name of the caller's key. */
  caller?: string;
  /** As the client named it. */
  model?: string;
  stream?: boolean;
  /** HTTP status of the head that went out; none when the client left before. */
  status?: number;
  readonly startedAt: number;
  headAt?: number;
  firstEventAt?: number;
  events?: number;
  tokens?: Tokens;
}

/** A model's name is the client's text: a longer one is cut. */
const MAX_MODEL_LENGTH = 200;

/** Returns the log line of a request that ended at `endedAt`: one flat JSON object, times in milliseconds from its start. */
export function writeLine(record: Record, ending: Ending, endedAt: number): string {
  const since = (at: number | undefined): number | undefined => (at === undefined ? undefined : at - record.startedAt);
  return JSON.stringify({
    message: "request",
    id: record.id,
    operation: record.operation,
    caller: record.caller,
    model: record.model?.slice(0, MAX_MODEL_LENGTH),
    stream: record.stream,
    status: record.status,
    ending: ending.kind,
    ...describe(ending),
    head_ms: since(record.headAt),
    first_event_ms: since(record.firstEventAt),
    duration_ms: since(endedAt),
    events: record.events,
    prompt_tokens: record.tokens?.prompt,
    completion_tokens: record.tokens?.completion,
  });
}

function describe(ending: Ending): object {
  switch (ending.kind) {
    case "finished":
      return {};
    case "client_left":
      return { stage: ending.stage };
    case "failed":
      return { code: ending.error.code, cause: describeCause(ending.error.cause) };
  }
}

/** A cause is our own words or the runtime's error; anything else might hold a body and is named by its type alone. */
function describeCause(cause: unknown): string | undefined {
  if (cause === undefined) return undefined;
  if (typeof cause === "string") return cause;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause;
}
