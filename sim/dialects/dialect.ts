import type { Output } from "../chat/outputs.ts";
import type { Plan } from "../chat/plan.ts";
import type { JsonObject } from "../json.ts";
import type { DialectName } from "../model.ts";
import type { Header, Step } from "../steps.ts";
import type { ParserOptions, TextParser } from "../text/parse.ts";
import type { Switches } from "../switches.ts";

/** An answer's own facts, the same in every frame. */
export interface Answer {
  id: string;
  created: number;
  model: string;
  plan: Plan;
  switches: Switches;
  /** Usage in a last chunk; usage on every chunk. */
  usage: { last: boolean; each: boolean };
}

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
  /** `chatcmpl-…`; a request id of the client's becomes the id. */
  id(requestId: string | undefined): string;
  parser(options: ParserOptions): TextParser;
  streamHeaders: readonly Header[];
  /** The headers of a whole answer; `$LENGTH` stands for the body's length. */
  jsonHeaders: readonly Header[];
  emptyHeaders: readonly Header[];
  /** The role chunk of a choice. */
  role(answer: Answer, choice: number): Step;
  /** The frames of one engine step: none, one, or a delta and its finish. */
  frames(answer: Answer, output: Output): Step[];
  usageFrame(answer: Answer, completion: number, reasoning: number): Step;
  whole(answer: Answer, choices: Output[][]): JsonObject;
  failure(known: KnownFailure): Failure;
  /** The error body for a failure, the same before the head and in a stream. */
  error(failure: Failure): JsonObject;
}
