import { GatewayError } from "../../core/errors.ts";
import { parseObject } from "../../core/json/object.ts";
import type { Part, WholeOfEvents } from "../../events/accumulate.ts";
import {
  readStop,
  SIGNATURE,
  textBlock,
  thinkingBlock,
  toolUseBlock,
  writeMessage,
  type MessageParts,
} from "./message.ts";
import { toClientId } from "./request/call-id.ts";
import { writeMessageUsage } from "./usage.ts";

/** Returns the JSON text of the whole message. Throws `origin_protocol` for a call whose arguments are no JSON object. */
export function writeWholeMessage({ parts, finish, usage }: WholeOfEvents, message: MessageParts): string {
  const content = parts.map((part) => writeBlock(part, finish.reason === "length", message));
  if (parts.every(({ type }) => type === "reasoning")) content.push(textBlock(""));
  const stop = readStop(finish, message.stopSequences);
  return JSON.stringify(writeMessage(message, content, stop, writeMessageUsage(usage)));
}

function writeBlock(part: Part, cut: boolean, { omitsThinking }: MessageParts): object {
  switch (part.type) {
    case "text":
      return textBlock(part.text);
    case "reasoning":
      return thinkingBlock(omitsThinking ? "" : part.text, SIGNATURE);
    case "tool_call":
      return toolUseBlock(toClientId(part.id), part.name, readInput(part.arguments, cut));
  }
}

/** A call that the limit cut has no input that could be told. */
function readInput(text: string, cut: boolean): object {
  const input = parseObject(text);
  if (input) return input;
  if (cut) return {};
  throw new GatewayError("origin_protocol", "The origin sent a tool call whose arguments are not a JSON object.");
}
