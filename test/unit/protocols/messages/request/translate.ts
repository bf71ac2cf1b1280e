/** Shared by the tests beside it: what a Messages request becomes, or how it is refused. */
import { GatewayError } from "../../../../../src/core/errors.ts";
import { translateCount, translateMessages } from "../../../../../src/protocols/messages/request/index.ts";

export const HI = [{ role: "user", content: "hi" }];

/** Returns the chat request, less `max_tokens`. */
export function chatOf(request: object): Record<string, unknown> {
  const { max_tokens: _, ...chat } = translateMessages(
    { model: "m", max_tokens: 9, messages: HI, ...request },
    99,
  ).chat;
  return chat;
}

/** Returns the chat messages. */
export function messagesOf(messages: unknown, more: object = {}): unknown {
  return chatOf({ messages, ...more })["messages"];
}

/** Returns code, parameter and sentence of the refusal. */
export function refusalOf(request: object, count = false): unknown {
  try {
    const whole = { model: "m", max_tokens: 9, messages: HI, ...request };
    return count ? translateCount(whole) : translateMessages(whole, undefined).chat;
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    return [thrown.code, thrown.param, thrown.message];
  }
}

/** A request, the parameter that is at fault in it, and the sentence that says so. */
export type Row = readonly [request: object, param: string, sentence: string];
