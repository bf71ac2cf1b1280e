import type { Usage } from "../../events/usage.ts";

/**
 * Returns `usage` as Anthropic counts it: what was read from a cache and written to one is not part of `input_tokens`.
 * What the origin does not tell is 0, and null where that would be a claim. An estimate says that it is one.
 */
export function writeUsage(usage: Usage): object {
  const { prompt, completion, cached = 0, written = 0, reasoning, estimated } = usage;
  return {
    input_tokens: prompt - cached - written,
    output_tokens: completion,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    output_tokens_details: reasoning === undefined ? null : { thinking_tokens: reasoning },
    server_tool_use: null,
    ...(estimated && { estimated }),
  };
}

/** Returns the usage of a message that begins or is whole: it has more about the service than a later one. */
export function writeMessageUsage(usage: Usage): object {
  return {
    ...writeUsage(usage),
    cache_creation: { ephemeral_5m_input_tokens: usage.written ?? 0, ephemeral_1h_input_tokens: 0 },
    service_tier: "standard",
    inference_geo: null,
    speed: null,
  };
}

/** What is known of a prompt of which nothing has been told. */
export const NO_USAGE: Usage = {
  prompt: 0,
  completion: 0,
  cached: undefined,
  written: undefined,
  reasoning: undefined,
  estimated: false,
};
