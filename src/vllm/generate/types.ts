/**
 * `/inference/v1/generate`: token ids in, token ids out. What each field is, and which of vLLM's servers sends it (0.32.0;
 * Python writes what is unset as `null`, Rust leaves it out). Fields that are not named here pass as they are.
 */

export interface GenerateRequest {
  /** The model; absent, it is the origin's own. An empty name is no model. */
  readonly model?: string | null;
  /** The prompt: at least one id of the model's vocabulary. */
  readonly token_ids: readonly number[];
  readonly sampling_params: GenerateSamplingParams;
  readonly stream?: boolean | null;
  /** Only with `stream`; `{}` counts as given, `null` does not. */
  readonly stream_options?: GenerateStreamOptions | null;
}

export interface GenerateSamplingParams {
  /** Tokens, 1 or more; absent, what is left of the context. */
  readonly max_tokens?: number | null;
  /** How many choices, 1 or more; Rust takes 1 only. */
  readonly n?: number | null;
  /** Log-probabilities of the prompt's tokens: how many alternatives, or -1 for the whole vocabulary; not while streaming. */
  readonly prompt_logprobs?: number | null;
}

export interface GenerateStreamOptions {
  /** A last chunk with usage and no choices. */
  readonly include_usage?: boolean | null;
  /** Usage on every chunk, beside the last; counts only together with `include_usage`. */
  readonly continuous_usage_stats?: boolean | null;
}

export interface GenerateUsage {
  /** Tokens. */
  readonly prompt_tokens: number;
  /** Tokens of all choices; on a choice's own chunk, of that choice so far. */
  readonly completion_tokens: number;
  /** The sum of both. */
  readonly total_tokens: number;
}

/**
 * The whole answer.
 *
 * @public
 */
export interface GenerateResponse {
  /** Python `generate-tokens-` and the request's id, Rust the bare id. */
  readonly request_id: string;
  readonly choices: readonly GenerateChoice[];
  /** Python only. */
  readonly model?: string;
  /** Seconds since 1970. Python only. */
  readonly created?: number;
  /** Python only. */
  readonly usage?: GenerateUsage | null;
}

export interface GenerateChoice {
  readonly index: number;
  /** All tokens of the choice, the stop token's id included. */
  readonly token_ids: readonly number[];
  readonly finish_reason: string | null;
  /** The stop string or the stop token's id that ended the choice. */
  readonly stop_reason?: string | number | null;
  readonly logprobs?: object | null;
}

/**
 * One chunk of a stream.
 *
 * @public
 */
export interface GenerateStreamResponse {
  readonly request_id: string;
  /** One choice; none on the usage chunk. */
  readonly choices: readonly GenerateStreamChoice[];
  /** Python writes `null` on every chunk that has none. */
  readonly usage?: GenerateUsage | null;
}

export interface GenerateStreamChoice {
  readonly index: number;
  /** The tokens since the choice's chunk before; may be empty on the chunk that carries the finish. */
  readonly token_ids: readonly number[];
  /** On the choice's last chunk only. Any word: `stop`, `length`, `abort`, … */
  readonly finish_reason?: string | null;
  readonly stop_reason?: string | number | null;
  readonly logprobs?: object | null;
}
