import { promptText } from "../chat/request.ts";
import { hex } from "../dialects/ids.ts";
import { numberAt, objectAt, type JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import { piecesOf } from "../text/pieces.ts";

/** The answer of `/v1/chat/completions/render`: the generate request that a chat request comes to. */
export function renderChat(body: JsonObject, model: Model): JsonObject {
  const ids = piecesOf(promptText(body)).map((piece) => piece.id);
  return {
    request_id: `chatcmpl-${hex(16)}`,
    token_ids: ids,
    token_offsets: null,
    features: null,
    content_parts: null,
    sampling_params: {
      presence_penalty: 0,
      frequency_penalty: 0,
      repetition_penalty: 1,
      temperature: numberAt(body, "temperature") ?? 1,
      top_p: numberAt(body, "top_p") ?? 1,
      min_p: 0,
      stop: [],
      stop_token_ids: [],
      max_tokens: numberAt(body, "max_tokens") ?? model.window - ids.length,
      skip_special_tokens: false,
      output_kind: 1,
      skip_clone: true,
      bad_words: [],
      skip_reading_prefix_cache: false,
    },
    model: model.name,
    reasoning_ended: false,
    reasoning_parser_kwargs: {
      chat_template_kwargs: { cohere_format: "cmd4", add_generation_prompt: true, continue_final_message: false },
    },
    return_token_ids: null,
    output_mode: "tokens",
    stream: body["stream"] === true,
    stream_options: objectAt(body, "stream_options") ?? null,
    cache_salt: null,
    priority: 0,
    kv_transfer_params: null,
    ec_transfer_params: null,
  };
}
