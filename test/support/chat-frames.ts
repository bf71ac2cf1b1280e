/** Chat with nothing to repair in it: a request, and the frames and the whole answer that leave as the bytes that came. */
import type { OriginRequest } from "./origin.ts";

export const MESSAGES = [{ role: "user", content: "hi" }];
const MODEL = "toy";

/** A chat request for the model of the frames; `mark` is what its origin knows it by. */
export function chatRequest(mark: string, fields: object = {}): object {
  return { model: MODEL, user: mark, messages: MESSAGES, ...fields };
}

export const ROLE = choiceFrame('{"role":"assistant","content":""}', "null");
export const WORD = wordFrame("word ");
export const FINISH = choiceFrame("{}", '"stop"');
export const USAGE = frame('[],"usage":{"prompt_tokens":1,"total_tokens":3,"completion_tokens":2}');
export const DONE = "data: [DONE]\n\n";
export const KEEPALIVE = ": keepalive\n\n";

/** `text` must not need escapes in JSON. */
export function wordFrame(text: string): string {
  return choiceFrame(`{"content":"${text}"}`, "null");
}

function choiceFrame(delta: string, finish: string): string {
  return frame(`[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]`);
}

function frame(choices: string): string {
  return `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1795968723,"model":"${MODEL}","choices":${choices}}\n\n`;
}

/** A whole answer, for a request to `model`. */
export function wholeAnswer(model = MODEL): object {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_795_968_723,
    model,
    choices: [{ index: 0, message: { role: "assistant", content: "word" }, logprobs: null, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, total_tokens: 3, completion_tokens: 2 },
  };
}

/** Answers as it was asked to, with a stream or whole. */
export function answerChat(request: OriginRequest): void {
  if (request.headers.accept !== "text/event-stream") return request.json(wholeAnswer());
  request.head();
  request.end(ROLE + WORD + FINISH + USAGE + DONE);
}
