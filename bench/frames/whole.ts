/** A whole (non-streaming) chat answer as vLLM's Python server writes it, about `bytes` long. */
export function wholeAnswer(model: string, bytes: number): string {
  const written = answerOf(model, "");
  return answerOf(model, "Rain later today. ".repeat(bytes / 18 + 1).slice(0, Math.max(0, bytes - written.length)));
}

function answerOf(model: string, content: string): string {
  const message = {
    role: "assistant",
    content,
    refusal: null,
    annotations: null,
    audio: null,
    function_call: null,
    reasoning: null,
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: "stop", stop_reason: null, token_ids: null };
  return JSON.stringify({
    id: "chatcmpl-9936deea4cc9aa7a",
    object: "chat.completion",
    created: 1795968729,
    model,
    choices: [{ ...choice, routed_experts: null }],
    service_tier: null,
    system_fingerprint: "vllm-0.32.0-3195127f",
    usage: {
      prompt_tokens: 20,
      total_tokens: 68,
      completion_tokens: 48,
      prompt_tokens_details: { cached_tokens: 0, created_cache_tokens: 0, multimodal_tokens: null },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
    prompt_logprobs: null,
    prompt_token_ids: null,
    prompt_text: null,
    kv_transfer_params: null,
    ec_transfer_params: null,
    metrics: null,
  });
}
