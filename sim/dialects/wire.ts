import type { FinishPlace } from "../engine/finish.ts";
import type { Output } from "../engine/outputs.ts";
import type { Plan } from "../engine/plan.ts";
import type { JsonObject } from "../json.ts";
import type { FrameKind, Step } from "../steps.ts";
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

/** How a dialect spells the answers of one operation. */
export interface Wire {
  /** `chatcmpl-…` and the like; a request id of the client's becomes the id. */
  id(requestId: string | undefined): string;
  /** Where the finish stands unless the model's name says otherwise. */
  finish: FinishPlace;
  /** What comes before the first token of a choice. */
  opening(answer: Answer, choice: number): Step[];
  /** The frames of one engine step. */
  frames(answer: Answer, output: Output): Step[];
  usageFrame(answer: Answer, completion: number, reasoning: number): Step;
  whole(answer: Answer, choices: Output[][]): JsonObject;
}

/** The event of one engine step of a choice. */
export function frameOf({ choice, finish }: Pick<Output, "choice" | "finish">, chunk: JsonObject): Step {
  const kind: FrameKind = finish === null ? "delta" : "finish";
  return { do: "frame", kind, choice, chunk };
}

/** The usage event. */
export function usageStep(chunk: JsonObject): Step {
  return { do: "frame", kind: "usage", choice: -1, chunk };
}

/** The ids of tokens where the request wants to see them, else null. */
export function idsOf(answer: Answer, tokens: Output["tokens"]): number[] | null {
  return answer.plan.body["return_token_ids"] === true ? tokens.map((token) => token.piece.id) : null;
}

/** The ids of a choice's prompt where the request wants to see them, else null. */
export function promptIdsOf({ plan }: Answer, choice: number): number[] | null {
  if (plan.body["return_token_ids"] !== true) return null;
  return (plan.choices[choice]?.prompt ?? []).map((piece) => piece.id);
}

/** Which version of the weights made the tokens of a finished choice, as generate says it. */
export function weightVersions({ completion }: Output): JsonObject[] {
  return [{ version: "default", start: 0, end: completion }];
}
