/**
 * A model as its readers look for it, all in one object: OpenAI's keys, vLLM's `max_model_len`, and those that Anthropic's
 * SDK and Claude Code read. https://platform.openai.com/docs/api-reference/models
 */

export interface Model {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly maxModelLen: number | undefined;
}

export function writeModel({ id, created, maxModelLen }: Model): object {
  const window = maxModelLen ?? null;
  return {
    id,
    object: "model",
    created,
    owned_by: "vllm",
    max_model_len: window,
    type: "model",
    display_name: id,
    created_at: new Date(created * 1_000).toISOString(),
    max_input_tokens: window,
    max_tokens: window,
    capabilities: null,
    lifecycle: "active",
    line: null,
    deprecated_at: null,
    retires_at: null,
  };
}

/**
 * Returns the JSON text of a list of models. All are on one page. Codex insists on a `models` list and ignores this
 * gateway's other keys; an empty one leaves it to its own catalogue, whose entries no gateway could fill in.
 */
export function writeModelList(models: readonly Model[]): string {
  return JSON.stringify({
    object: "list",
    data: models.map(writeModel),
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
    models: [],
  });
}
