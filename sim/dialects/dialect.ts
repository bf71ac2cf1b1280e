import type { GeneratingName } from "../engine/operation.ts";
import type { JsonObject } from "../json.ts";
import type { DialectName } from "../model.ts";
import type { Header, Step } from "../steps.ts";
import type { ParserOptions, TextParser } from "../text/parse.ts";
import type { Wire } from "./wire.ts";

/** What can go wrong inside a server; each dialect has its own words for it. */
export interface Failure {
  status: number;
  message: string;
  type?: string;
  param?: string | null;
  code?: string | number;
}

type KnownFailure = "engine-dead" | "internal";

/** How one of vLLM's two servers puts things on the wire. */
export interface Dialect {
  name: DialectName;
  wires: Readonly<Record<GeneratingName, Wire>>;
  parser(options: ParserOptions): TextParser;
  streamHeaders: readonly Header[];
  /** The headers of a whole answer; `$LENGTH` stands for the body's length. */
  jsonHeaders: readonly Header[];
  emptyHeaders: readonly Header[];
  failure(known: KnownFailure): Failure;
  /** The error body for a failure, the same before the head and in a stream. */
  error(failure: Failure): JsonObject;
}

/** A failure as an event; Python writes it with spaces, unlike every other event. */
export function errorFrame(dialect: Dialect, failure: Failure): Step {
  return {
    do: "frame",
    kind: "error",
    choice: -1,
    chunk: dialect.error(failure),
    spaced: dialect.name === "python",
  };
}
