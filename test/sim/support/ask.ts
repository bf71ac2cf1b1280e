import { open, call, type WireAnswer, type WireRequest } from "./wire.ts";

export const TOOLS = [
  {
    type: "function",
    function: {
      name: "get_weather",
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  },
  { type: "function", function: { name: "get_time", parameters: { type: "object", properties: { tz: {} } } } },
];

/** A chat request; fields given replace the usual ones. */
export function chatRequest(model: string, fields: Record<string, unknown> = {}): WireRequest {
  const messages = [{ role: "user", content: "What is a sluice?" }];
  return { path: "/v1/chat/completions", body: { model, messages, stream: true, ...fields } };
}

/** A completions request that ends by itself. */
export function completionsRequest(model: string, fields: Record<string, unknown> = {}): WireRequest {
  return {
    path: "/v1/completions",
    body: { model, prompt: "What is a sluice?", max_tokens: 200, stream: true, ...fields },
  };
}

/** A generate request that ends by itself; fields given replace the usual ones, sampling parameters apart. */
export function generateRequest(
  model: string,
  fields: Record<string, unknown> = {},
  sampling: Record<string, unknown> = {},
): WireRequest {
  const sampling_params = { max_tokens: 200, ...sampling };
  return {
    path: "/inference/v1/generate",
    body: { model, token_ids: [40, 41, 42], sampling_params, stream: true, ...fields },
  };
}

export function ask(port: number, model: string, fields: Record<string, unknown> = {}): Promise<WireAnswer> {
  return call(port, chatRequest(model, fields));
}

/** Resolves as soon as `holds`; asks again each few milliseconds and gives up after a generous while. */
export async function eventually(holds: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`never happened: ${what}`);
}

/** Opens a stream, waits until its text holds what is wanted, and leaves it open. */
export async function openUntil(
  port: number,
  request: WireRequest,
  holds: (text: string) => boolean,
): Promise<{ text: () => string; leave: () => void }> {
  const { socket, text } = open(port, request);
  await eventually(() => holds(text()), `${JSON.stringify(request)}: ${text().slice(-200)}`);
  return { text, leave: () => socket.destroy() };
}
