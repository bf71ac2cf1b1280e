import { numberAt, omit, type JsonObject } from "../json.ts";
import { VOCABULARY } from "../text/pieces.ts";
import { manyLogprobs, promptLogprobs, streamOptions, tooLong, tooMany } from "./python-both.ts";
import { bad, late, plain } from "./python-refusals.ts";
import { SAMPLING } from "./python-sampling.ts";
import { SCHEMA } from "./python-schema.ts";
import type { Rule } from "./rule.ts";

/** What the Python server refuses in completions, in its order. */
export const COMPLETIONS: readonly Rule[] = [
  ...SCHEMA,
  streamOptions,
  promptLogprobs,
  ({ prompt }) =>
    prompt === undefined || prompt === null || prompt === "" || (Array.isArray(prompt) && prompt.length === 0)
      ? bad("Either prompt or prompt_embeds must be provided and non-empty.", "prompt")
      : undefined,
  ({ suffix }) =>
    suffix === undefined || suffix === null
      ? undefined
      : { ...plain("suffix is only supported for models with FIM completion rendering"), param: "suffix" },
  tooLong,
  tooMany,
  ...SAMPLING.map(
    (rule): Rule =>
      (body, request) =>
        rule(echoOnly(body), request),
  ),
  unknownToken,
  (body) => manyLogprobs(numberAt(body, "logprobs") ?? 0),
];

/** No token at all is allowed where the prompt is to be said again. */
function echoOnly(body: JsonObject): JsonObject {
  return body["echo"] === true && body["max_tokens"] === 0 ? omit(body, "max_tokens") : body;
}

/** A prompt's token that the vocabulary does not have; generate fails alike. */
export function unknownToken(...[, { prompts }]: Parameters<Rule>): ReturnType<Rule> {
  const wrong = prompts.flat().find((piece) => piece.id >= VOCABULARY);
  return wrong === undefined ? undefined : late(plain(`Token id ${wrong.id} is out of vocabulary`));
}
