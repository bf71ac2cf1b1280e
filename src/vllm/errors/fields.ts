/** The request's fields in vLLM's operations (chat, completions, generate, tokenize and their kin). */

/**
 * Fields that a sentence of vLLM may start with. Fields that are plain words in many sentences (`model`, `prompt`,
 * `user`) are not among them.
 */
const TELLING_FIELDS = new Set(
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

/** Fields that are told from other words only where a parameter is expected. */
const PLAIN_FIELDS = new Set(
  `data dimensions encoding_format features file function_call functions guided_decoding_backend
  guided_whitespace_pattern include input instructions language max_output_tokens metadata modalities model normalize
  prediction previous_response_id prompt prompt_cache_key queries query reasoning repetition_detection request_id
  return_token_strs return_tokens_as_token_ids safety_identifier service_tier store structural_tag text text_1 text_2
  thinking timestamp_granularities tokens top_n truncation user verbosity web_search_options`.split(/\s+/),
);

export function isTellingField(name: string): boolean {
  return TELLING_FIELDS.has(name);
}

export function isRequestField(name: string): boolean {
  return TELLING_FIELDS.has(name) || PLAIN_FIELDS.has(name);
}
