/** A row of `faults.json` is one or more cases: what is asked of the faulty origin, and what must come of it. */
import type { Usage } from "./chunks.ts";
import type { OperationName } from "./operations.ts";
import type { Stage, WorkerName } from "./stage.ts";
import type { AnswerStream, ToolCall } from "./stream.ts";

export type Rows = Readonly<Record<string, readonly Case[]>>;

export type Case = AskedCase | ActedCase;

interface AnyCase {
  /** What the client gets: the rest of a sentence that begins with the row's name. */
  readonly it: string;
  /** `calm` by default. */
  readonly on?: WorkerName;
}

/** A client that asks and reads to the end. It is told as of chat; see `operations.ts` for what that is in others. */
export interface AskedCase extends AnyCase {
  /** All in which the row's fault can occur by default. */
  readonly in?: readonly OperationName[];
  /** Asks for a whole answer; by default for a stream. */
  readonly whole?: true;
  /** Switches of the simulated model, beside `words=6` and the row's name. */
  readonly switches?: string;
  readonly request?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Both by default. */
  readonly dialects?: readonly Dialect[];
  readonly gets: ErrorResponse | StreamResponse | WholeResponse;
  /**
   * How each of the origin's requests ended, by its own record; `["finished"]` by default. `closed`: it was freed.
   * `either`: it is freed while the last bytes are written, and which comes first is the network's to say.
   */
  readonly origin?: readonly ("finished" | "closed")[] | "either";
  /** The most bytes that the origin got rid of. */
  readonly originBytes?: number;
  /** Fields of the request that the origin must not hear of. */
  readonly unheard?: readonly string[];
}

/** A client that does something else. */
export interface ActedCase extends AnyCase {
  /** What it asks for, where the origin must list that. */
  readonly models?: readonly string[];
  readonly run: (stage: Stage) => Promise<void>;
}

export type Dialect = "python" | "rust";

interface ExpectedError {
  readonly code: string;
  /** `null` by default. */
  readonly param?: string;
  /** Any sentence by default. */
  readonly message?: string;
}

export interface ErrorResponse {
  readonly status: number;
  readonly error: ExpectedError;
  /** What `x-should-retry` says. */
  readonly retry: "true" | "false";
  /** `retry-after` in seconds. */
  readonly retryAfter?: number;
}

export interface StreamResponse {
  /** See `frames.ts`. */
  readonly frames: readonly string[];
  readonly text?: string;
  /** What the second choice says. */
  readonly otherText?: string;
  readonly calls?: readonly ToolCall[];
  readonly error?: ExpectedError;
  readonly usage?: Usage | "counted";
  /** Whether the origin was waited for with keep-alives; not looked at by default. */
  readonly keepalives?: true;
  readonly also?: (stream: AnswerStream) => void;
}

export interface WholeResponse {
  readonly answer: { readonly finish: string; readonly text?: string | null; readonly reasoning?: string };
  readonly calls?: readonly ToolCall[];
  readonly usage?: Usage;
  readonly also?: (body: string) => void;
}
