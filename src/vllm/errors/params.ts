/** The parameter that an origin names, in the client's own spelling. */

/** Names of vLLM's insides that it reports as if they were parameters. */
const INTERNAL = new Set(["input_tokens", "input_text", "prompt_token_ids", "engine_prompt"]);

/** pydantic puts the branch of a union it tried among the path's segments. */
const UNION_BRANCHES = new Set(["str", "int", "float", "bool", "bytes", "dict", "list", "tuple", "none", "nullable"]);

/** A parameter's path is short; what is longer is a client's own key and helps nobody. */
const MAX_PATH = 200;

/**
 * Returns the path without `body.` and without Python's class names, list places in brackets: `messages[0].content`.
 * `undefined` where nothing of the request is named: `body` itself, `body.31` (an offset into its text), internals.
 */
export function clientParam(param: string | undefined): string | undefined {
  if (param === undefined || param.length > MAX_PATH) return undefined;
  const segments = param.replace(/^body(?:\.|$)/, "").split(".");
  let path = "";
  for (const segment of segments) {
    if (/^\d+$/.test(segment)) path += path === "" ? "" : `[${segment}]`;
    else if (isField(segment)) path += path === "" ? segment : `.${segment}`;
  }
  const [field = ""] = path.split(/[.[]/, 1);
  return field === "" || INTERNAL.has(field) ? undefined : path;
}

function isField(segment: string): boolean {
  return /^[a-z_][\w-]*(?:\[\d+\])*$/.test(segment) && !UNION_BRANCHES.has(segment);
}

/**
 * Fields that a sentence of vLLM may start with. Fields that are plain words in many sentences (`model`, `prompt`,
 * `user`) are not among them.
 */
const REQUEST_FIELDS = new Set(
  `add_generation_prompt add_special_tokens allowed_token_ids audio bad_words best_of cache_salt chat_template
  chat_template_kwargs continue_final_message documents echo frequency_penalty guided_choice guided_grammar guided_json
  guided_regex ignore_eos include_reasoning include_stop_str_in_output kv_transfer_params length_penalty logit_bias
  logits_processors logprob_token_ids logprobs max_completion_tokens max_tokens media_io_kwargs messages min_p
  min_tokens mm_processor_kwargs n parallel_tool_calls presence_penalty priority prompt_embeds prompt_logprobs
  reasoning_effort repetition_penalty response_format return_token_ids sampling_params seed skip_special_tokens
  spaces_between_special_tokens stop stop_token_ids stream stream_options structured_outputs suffix temperature
  thinking_token_budget token_ids tool_choice tools top_k top_logprobs top_p truncate_prompt_tokens use_beam_search
  vllm_xargs`.split(/\s+/),
);

/** What may stand before the name without hiding that the sentence is about it. */
const OPENING = /^(?:Parameter |requested (?:sample )?|token_id\(s\) \[[^\]]{0,500}\] in (?=logit_bias\b))/i;

/** Returns the request field with which a sentence starts ("n must be at least 1"), quoted or not. */
export function leadingParam(sentence: string): string | undefined {
  const name = /^[`'"]?([a-z_]{1,40})(?![\w-])/.exec(sentence.replace(OPENING, ""))?.[1];
  return name !== undefined && REQUEST_FIELDS.has(name) ? name : undefined;
}
