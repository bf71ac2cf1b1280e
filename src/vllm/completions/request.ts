/** The rules of a completions request that need no knowledge of the model, as vLLM 0.32 has them. */
import * as z from "zod/mini";
import type { JsonObject } from "../../core/json/object.ts";
import { absent, check, flag, refuse, whole } from "../rules.ts";
import { checkStreaming, samplingFields } from "../sampling.ts";

/** vLLM's own limit when a request names none. */
const DEFAULT_MAX_TOKENS = 16;

/** vLLM's own bound for n; each choice costs memory here, and may have to be finished for the origin. */
const MAX_CHOICES = 16_384;

const schema = z.lazy(() =>
  z.looseObject({
    ...samplingFields(),
    model: absent(z.string("must be a string")),
    max_tokens: whole(0),
    logprobs: whole(-1),
    echo: flag(),
    suffix: absent(z.string("must be a string")),
  }),
);

/** Throws `invalid_request`, naming the parameter, for a request that no vLLM would take. */
export function checkCompletionRequest(request: JsonObject): void {
  check(schema, request);
  const { prompt, prompt_embeds: embeds } = request;
  const embedded = countEmbeds(embeds) > 0;
  if (prompt !== undefined && prompt !== null) {
    // Clients that must send a prompt send an empty one beside the embeddings.
    if (prompt !== "" || !embedded) checkPrompt(prompt);
  } else if (!embedded) throw refuse("prompt", '"prompt" is required.');
  checkStreaming(request);
  const choices = countPrompts(request) * (typeof request["n"] === "number" ? request["n"] : 1);
  if (choices > MAX_CHOICES) throw refuse("n", `"n" times the number of prompts must not be more than ${MAX_CHOICES}.`);
  if (request["max_tokens"] === 0 && request["echo"] !== true) {
    throw refuse("max_tokens", '"max_tokens" may be 0 only with "echo": true.');
  }
}

/** Returns how many prompts the request holds, embedded ones too: one choice each, times n. */
export function countPrompts({ prompt, prompt_embeds: embeds }: JsonObject): number {
  const embedded = countEmbeds(embeds);
  if (!prompt) return Math.max(1, embedded);
  return embedded + (Array.isArray(prompt) && typeof prompt[0] !== "number" ? prompt.length : 1);
}

/** Prompts may be given as embeddings: one text, or a list of them. */
function countEmbeds(embeds: unknown): number {
  if (Array.isArray(embeds)) return embeds.length;
  return embeds === undefined || embeds === null || embeds === "" ? 0 : 1;
}

/** Returns the most tokens that a choice may have. */
export function completionLimit({ max_tokens: limit }: JsonObject): number {
  return typeof limit === "number" ? limit : DEFAULT_MAX_TOKENS;
}

/** Returns the characters of the prompts, a token id counting as one token's worth. */
export function promptLength({ prompt }: JsonObject): number {
  const prompts: unknown[] = Array.isArray(prompt) ? prompt.flat() : [prompt];
  return prompts.reduce<number>((sum, one) => sum + (typeof one === "string" ? one.length : CHARACTERS_PER_ID), 0);
}

const CHARACTERS_PER_ID = 4;

function checkPrompt(prompt: unknown): void {
  const form = '"prompt" must be a string, a list of strings, a list of token ids, or a list of such lists';
  if (typeof prompt !== "string" && !Array.isArray(prompt)) throw refuse("prompt", `${form}.`);
  if (prompt.length === 0) throw refuse("prompt", '"prompt" must not be empty.');
  if (typeof prompt === "string" || isTokenIds(prompt)) return;
  const texts = prompt.every((one) => typeof one === "string");
  const lists = prompt.every((one) => Array.isArray(one) && one.length > 0 && isTokenIds(one));
  if (!texts && !lists) throw refuse("prompt", `${form}.`);
}

function isTokenIds(list: readonly unknown[]): boolean {
  return list.every((id) => typeof id === "number" && Number.isInteger(id) && id >= 0);
}
