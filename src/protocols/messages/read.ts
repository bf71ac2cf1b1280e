import type { JsonObject } from "../../core/json/object.ts";
import { editObject } from "../../core/json/edit.ts";
import { ChatEvents } from "../../vllm/chat/events.ts";
import { withoutThinkingWhenForced } from "../../vllm/chat/forced.ts";
import { repairChat } from "../../vllm/chat/repair.ts";
import { promptLength } from "../../vllm/chat/request.ts";
import { openAIEnvelope } from "../../vllm/envelope.ts";
import { RepairedFrames } from "../../vllm/frames.ts";
import type { Call, CallParts } from "../protocol.ts";
import type { JsonBody } from "../read-json.ts";
import { MessagesAnswer } from "./answer.ts";
import type { MessageParts } from "./message.ts";
import { keepInnerDigits, restoreDigits } from "./request/digits.ts";
import { PASSED } from "./request/passed.ts";
import { translateMessages, type Translated } from "./request/index.ts";
import { writeWholeMessage } from "./whole.ts";

/** Where an overflow of the context is reported: at the parameter that both protocols have. */
const PROMPT_PARAM = "messages";

/** Usage is asked for all along: `message_start` tells what the prompt cost. */
const ASKED = { final: true, continuous: true };

/**
 * Returns the call in a Messages request's body. The origin is always asked for a stream of chat: a whole answer is made
 * of the same events.
 */
export function readMessages(body: JsonBody, parts: CallParts): Call {
  const request = keepInnerDigits(body);
  const model = String(request["model"]);
  const translated = translateMessages(request, parts.models?.get(model)?.maxModelLen);
  const message: MessageParts = {
    id: parts.newId("msg_"),
    model,
    stopSequences: translated.stopSequences,
    omitsThinking: translated.omitsThinking,
  };
  const events = (named: string | undefined): ChatEvents => {
    const repair = repairChat(repairParts(model, translated, parts));
    const frames = new RepairedFrames(repair, PROMPT_PARAM, { client: model, origin: named });
    return new ChatEvents(frames, parts.maxFrameBytes);
  };
  const forwarded = {
    model,
    promptParam: PROMPT_PARAM,
    forward: (named: string | undefined) =>
      writeChatRequest(translated.chat, named ?? model, body.text, parts.thinkingWhenForced),
  };
  return request["stream"] === true
    ? { ...forwarded, kind: "stream", answer: (named) => new MessagesAnswer(events(named), message) }
    : { ...forwarded, kind: "folded", events, write: (answer) => writeWholeMessage(answer, message) };
}

function writeChatRequest(
  chat: JsonObject,
  model: string,
  asked: string,
  thinkingWhenForced: boolean | undefined,
): string {
  const options = { include_usage: true, continuous_usage_stats: true };
  const text = JSON.stringify({ model, ...chat, stream: true, stream_options: options });
  const edits = withoutThinkingWhenForced({ text, json: chat }, thinkingWhenForced);
  return editObject(text, { ...edits, ...restoreDigits(asked, chat, PASSED) });
}

function repairParts(model: string, { chat, single }: Translated, parts: CallParts) {
  const { max_tokens: limit } = chat;
  return {
    envelope: openAIEnvelope({ object: "chat.completion.chunk", id: "", model, created: 0 }),
    choices: 1,
    usage: ASKED,
    maxTokens: typeof limit === "number" ? limit : undefined,
    promptLength: () => promptLength(chat["messages"]),
    single,
    maxWaiting: parts.maxFrameBytes,
    newId: parts.newId,
  };
}
