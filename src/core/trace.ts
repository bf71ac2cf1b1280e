/**
 * The trace that a request belongs to: read from its caller or begun, and passed on with a span of ours.
 * https://www.w3.org/TR/trace-context/
 */
import type { NewId } from "./ids.ts";

export interface Trace {
  /** 32 hex digits. */
  readonly traceId: string;
  /** Our own part in the trace, and the parent of what the origin does; 16 hex digits. */
  readonly spanId: string;
  /** Two hex digits; the lowest bit says that the trace is recorded. */
  readonly flags: string;
  /** What other tracing systems have to say to each other, as they said it. */
  readonly state: string | undefined;
}

/** A trace that begins here is recorded: each request has its log line, and an origin that traces records what it is told of. */
const SAMPLED = "01";
/** The flags that mean something: recorded, and an id that is random. All others must be passed on as 0. */
const KNOWN_FLAGS = 0x03;

/** What must be passed on of a trace's state, at least; more might not fit where it goes. */
const MAX_STATE_LENGTH = 512;
const MAX_MEMBERS = 32;
/** Of a state that is too long, members longer than this go first. */
const LONG_MEMBER = 128;

/** Returns the trace that `headers` name, or a new one where they name none that is valid: then they count for nothing. */
export function readTrace(headers: Headers, newId: NewId): Trace {
  const spanId = newId("").slice(0, 16);
  const parent = readParent(headers.get("traceparent"));
  if (!parent) return { traceId: newId(""), spanId, flags: SAMPLED, state: undefined };
  return { ...parent, spanId, state: readState(headers.get("tracestate")) };
}

/** Returns the headers that pass `trace` on. */
export function traceHeaders({ traceId, spanId, flags, state }: Trace): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${flags}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

function readParent(text: string | null): Pick<Trace, "traceId" | "flags"> | undefined {
  const [, version, traceId, parentId, flags, more] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(text ?? "") ?? [];
  if (traceId === undefined || parentId === undefined || flags === undefined) return undefined;
  // A later version may say more behind what this one says; `ff` is none.
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  const known = Number.parseInt(flags, 16) & KNOWN_FLAGS;
  return { traceId, flags: known.toString(16).padStart(2, "0") };
}

const MEMBER = /^[a-z\d][a-z\d_\-*/@]{0,255}=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;

/** Returns the state, shortened where it is too long; nothing where any of it is not as it must be. */
function readState(text: string | null): string | undefined {
  const members = (text ?? "").split(",").flatMap((member) => member.trim() || []);
  const keys = new Set(members.map((member) => member.slice(0, member.indexOf("="))));
  if (members.length === 0 || members.length > MAX_MEMBERS || keys.size < members.length) return undefined;
  if (!members.every((member) => MEMBER.test(member))) return undefined;
  while (members.join(",").length > MAX_STATE_LENGTH) {
    const long = members.findLastIndex((member) => member.length > LONG_MEMBER);
    members.splice(long === -1 ? members.length - 1 : long, 1);
  }
  return members.length === 0 ? undefined : members.join(",");
}
