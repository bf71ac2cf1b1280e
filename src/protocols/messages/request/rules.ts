/** The rules of a request's plain fields. Fields that are not named here or read elsewhere are ignored, as are unknown ones. */
import * as z from "zod/mini";
import type { JsonObject } from "../../../core/json/object.ts";
import { absent, check, listOf, refuse, whole } from "../../../vllm/rules.ts";
import { samplingFields } from "../../../vllm/sampling.ts";

const stopSequence = z.lazy(() => z.string("must be a string").check(z.minLength(1, "must not be empty")));

const named = z.lazy(() =>
  z.looseObject({ model: z.string("must be a string").check(z.minLength(1, "must not be empty")) }),
);

const asked = z.lazy(() => {
  const { stream, temperature, top_p, top_k } = samplingFields();
  const stop_sequences = absent(listOf(stopSequence, "must be a list of strings"));
  return z.looseObject({ max_tokens: whole(0), stream, temperature, top_p, top_k, stop_sequences });
});

/** Throws for what counting the tokens of a prompt needs, too. */
export function checkPrompt(request: JsonObject): void {
  for (const field of ["model", "messages"]) need(request, field);
  check(named, request);
  refuseState(request);
}

/** Throws for what is wrong with a request for an answer beside its prompt. */
export function checkAnswer(request: JsonObject): void {
  need(request, "max_tokens");
  check(asked, request);
}

function need(request: JsonObject, field: string): void {
  if ((request[field] ?? undefined) === undefined) throw refuse(field, `"${field}" is required.`);
}

/** What lives on Anthropic's servers, and changes what the answer is about: to ignore it would be to answer something else. */
function refuseState(request: JsonObject): void {
  for (const field of ["thread", "container"]) {
    if ((request[field] ?? undefined) !== undefined) {
      throw refuse(field, `"${field}" cannot be had here: nothing is kept between requests.`);
    }
  }
  const servers = request["mcp_servers"] ?? [];
  if (!Array.isArray(servers)) throw refuse("mcp_servers", '"mcp_servers" must be a list.');
  if (servers.length > 0) {
    throw refuse(
      "mcp_servers",
      '"mcp_servers" cannot be had here: send their tools as custom tools and run them yourself.',
    );
  }
}
