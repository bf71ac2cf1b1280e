/** The rules of a generate request, the same whichever dialect the origin speaks, in the order in which they are told. */
import { isObject, type JsonObject } from "../../core/json/object.ts";
import { refuse } from "../rules.ts";
import type { GenerateRequest } from "./types.ts";

/** Throws `invalid_request` for the first rule that `request` breaks. Whether the model is served is asked before. */
export function checkGenerateRequest(request: JsonObject): asserts request is JsonObject & GenerateRequest {
  const { stream, stream_options: options, token_ids: ids, sampling_params: params } = request;
  if (stream !== undefined && stream !== null && typeof stream !== "boolean") {
    throw refuse("stream", '"stream" must be true or false.');
  }
  if (options !== undefined && options !== null) checkStreamOptions(options, stream === true);
  if (!Array.isArray(ids) || ids.length === 0) {
    throw refuse("token_ids", '"token_ids" must be a list with at least one token id.');
  }
  if (!ids.every((id) => isWhole(id, 0))) {
    throw refuse("token_ids", '"token_ids" must hold whole numbers that are not negative.');
  }
  if (!isObject(params)) throw refuse("sampling_params", '"sampling_params" is required and must be an object.');
  checkSampling(params, stream === true);
}

function checkStreamOptions(options: unknown, streams: boolean): void {
  if (!streams) throw refuse("stream_options", '"stream_options" goes only with "stream": true.');
  if (!isObject(options)) throw refuse("stream_options", '"stream_options" must be an object.');
  for (const key of ["include_usage", "continuous_usage_stats"]) {
    const value = options[key];
    if (value !== undefined && value !== null && typeof value !== "boolean") {
      throw refuse("stream_options", `"stream_options.${key}" must be true or false.`);
    }
  }
}

function checkSampling({ max_tokens: limit, prompt_logprobs: logprobs, n }: JsonObject, streams: boolean): void {
  if (isSet(limit) && !isWhole(limit, 1)) {
    throw refuse("sampling_params", '"max_tokens" must be a whole number greater than 0.');
  }
  if (isSet(logprobs) && !isWhole(logprobs, -1)) {
    throw refuse("sampling_params", '"prompt_logprobs" must be a whole number that is not negative, or -1.');
  }
  if (isSet(logprobs) && streams) {
    throw refuse("sampling_params", '"prompt_logprobs" cannot be had with "stream": true.');
  }
  if (isSet(n) && !isWhole(n, 1)) throw refuse("sampling_params", '"n" must be a whole number of 1 or more.');
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isWhole(value: unknown, min: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= min;
}
