/** The members of a message, its stop and its usage, as the newest types of Anthropic's SDK require them. */
import { asObject, asText, type Json } from "./chat-records.ts";

const MESSAGE_KEYS =
  "container,content,diagnostics,id,model,role,stop_details,stop_reason,stop_sequence,type,usage".split(",");
const USAGE_KEYS = [
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "input_tokens",
  "output_tokens",
  "output_tokens_details",
  "server_tool_use",
];
const MESSAGE_USAGE_KEYS = ["cache_creation", "inference_geo", "service_tier", "speed"];
const STOP_REASONS = new Set(["end_turn", "max_tokens", "stop_sequence", "tool_use", "refusal"]);

/** Returns the breaches of a message, whole or at its start; its stop and its content are looked at elsewhere. */
export function messageBreaches(message: Json): string[] {
  const usage = asObject(message["usage"]);
  const { cache_creation: created, service_tier: tier, inference_geo: geo, speed, ...counts } = usage;
  return [
    ...keys(message, MESSAGE_KEYS),
    ...rule(/^msg_./.test(asText(message["id"])), "a message's id"),
    ...rule(message["type"] === "message" && message["role"] === "assistant", "a message of the assistant"),
    ...rule(asText(message["model"]) !== "" && Array.isArray(message["content"]), "a model and a content"),
    ...rule(message["container"] === null && message["diagnostics"] === null, "nothing that is not had here"),
    ...keys(pick(usage, MESSAGE_USAGE_KEYS), MESSAGE_USAGE_KEYS),
    ...keys(asObject(created), ["ephemeral_1h_input_tokens", "ephemeral_5m_input_tokens"]),
    ...rule(Object.values(asObject(created)).every(isCount), "counts of what was written to a cache"),
    ...rule(tier === "standard" && geo === null && speed === null, "what is said of the service"),
    ...usageBreaches(counts),
  ];
}

/** Returns the breaches of the usage in a message_delta. */
export function usageBreaches(usage: Json): string[] {
  const { estimated, output_tokens_details: details, server_tool_use: tools, ...counts } = usage;
  const known = pick(usage, USAGE_KEYS);
  return [
    ...keys(known, USAGE_KEYS),
    ...rule(estimated === undefined || estimated === true, "estimated, or no word of it"),
    ...rule(Object.keys(counts).length === 4 && Object.values(counts).every(isCount), "four counts"),
    ...rule(details === null || isCount(asObject(details)["thinking_tokens"]), "the tokens of the thinking"),
    ...rule(Number(asObject(details)["thinking_tokens"] ?? 0) <= Number(usage["output_tokens"]), "not more of them"),
    ...rule(tools === null, "no tools of a server"),
  ];
}

/** Returns the breaches of how a message with so many calls stopped. */
export function stopBreaches(stop: Json, calls: number): string[] {
  const { stop_reason: reason, stop_sequence: sequence, stop_details: details } = stop;
  return [
    ...keys(stop, ["container", "stop_details", "stop_reason", "stop_sequence"]),
    ...rule(STOP_REASONS.has(asText(reason)), `a reason of the protocol: ${asText(reason)}`),
    ...rule((asText(sequence) !== "") === (reason === "stop_sequence"), "a sequence if and only if it stopped there"),
    ...rule(sequence === null || typeof sequence === "string", "a sequence or null"),
    ...rule((details !== null) === (reason === "refusal"), "details of a refusal alone"),
    ...rule(details === null || asObject(details)["type"] === "refusal", "details that are a refusal's"),
    ...rule(reason !== "tool_use" || calls > 0, "tool_use after a call"),
    ...rule((reason !== "end_turn" && reason !== "stop_sequence") || calls === 0, "no end of the turn after calls"),
  ];
}

function pick(json: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(json).filter(([key]) => names.includes(key)));
}

function keys(json: Json, expected: readonly string[]): string[] {
  const found = Object.keys(json).toSorted().join();
  return rule(found === expected.toSorted().join(), `the keys ${expected.join()}: ${found}`);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function rule(holds: boolean, words: string): string[] {
  return holds ? [] : [words];
}
