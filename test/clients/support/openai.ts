import NewestOpenAI from "openai";
import OpenAI6 from "openai-6";
import * as helpers6 from "openai-6/helpers/zod";
import { VERSION as VERSION_6 } from "openai-6/version";
import * as newestHelpers from "openai/helpers/zod";
import { VERSION as NEWEST_VERSION } from "openai/version";

/** A generation of the `openai` package: its version, its class and its helpers for zod. */
export interface Generation {
  readonly version: string;
  readonly OpenAI: typeof NewestOpenAI;
  readonly helpers: typeof newestHelpers;
}

export type OpenAIClient = InstanceType<Generation["OpenAI"]>;

/**
 * The newest one, and the one that Node 20 can still run. To the compiler two private fields of the same name are
 * strangers; the tests make the same calls of both, so the older one goes by the type of the newer.
 */
export const GENERATIONS: readonly Generation[] = [
  { version: NEWEST_VERSION, OpenAI: NewestOpenAI, helpers: newestHelpers },
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
  { version: VERSION_6, OpenAI: OpenAI6, helpers: helpers6 } as unknown as Generation,
];
