import { GatewayError } from "../../core/errors.ts";
import { editObject, RawJson } from "../../core/json/edit.ts";
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
  if (parts.every(({ type }) => type === "reasoning")) content.push(JSON.stringify(textBlock("")));
  const stop = readStop(finish, message.stopSequences);
  const whole = JSON.stringify(writeMessage(message, [], stop, writeMessageUsage(usage)));
  return editObject(whole, { content: new RawJson(`[${content.join(",")}]`) });
}

function writeBlock(part: Part, cut: boolean, { omitsThinking }: MessageParts): string {
  switch (part.type) {
    case "text":
      return JSON.stringify(textBlock(part.text));
    case "reasoning":
      return JSON.stringify(thinkingBlock(omitsThinking ? "" : part.text, SIGNATURE));
    case "tool_call": {
      const block = JSON.stringify(toolUseBlock(toClientId(part.id), part.name, {}));
      return editObject(block, { input: new RawJson(readInput(part.arguments, cut)) });
    }
  }
}

/** Returns the input as the model wrote it, digit for digit, as a stream has it. A call that the limit cut has none that could be told. */
function readInput(text: string, cut: boolean): string {
  if (parseObject(text)) return text;
  if (cut) return "{}";
  throw new GatewayError("origin_protocol", "The origin sent a tool call whose arguments are not a JSON object.");
}
