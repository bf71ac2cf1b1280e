/**
 * The rules of a chat request that need no knowledge of the model, as vLLM 0.32 has them. Fields that are not named here
 * pass: vLLM knows many more.
 */
import * as z from "zod/mini";
import { isObject, type JsonObject } from "../../core/json/object.ts";
import { absent, check, flag, listOf, refuse, whole } from "../rules.ts";
import { checkStreaming, samplingFields } from "../sampling.ts";

const url = z.lazy(() =>
  z.union([z.string(), z.looseObject({ url: z.string() })], "must be a URL, or an object with one as its url"),
);

const part = z.lazy(() =>
  z.looseObject(
    {
      type: absent(z.string("must be a string")),
      text: absent(z.string("must be a string")),
      image_url: absent(url),
      video_url: absent(url),
      audio_url: absent(url),
    },
    "must be an object or a string",
  ),
);

const message = z.lazy(() =>
  z.looseObject(
    {
      role: z.string("must be a string").check(z.minLength(1, "must not be empty")),
      content: absent(z.union([z.string(), z.array(z.unknown())], "must be a string or a list of content parts")),
    },
    "must be an object with a role and content",
  ),
);

const tool = z.lazy(() => z.looseObject({ type: absent(z.string("must be a string")) }, "must be an object"));

const schema = z.lazy(() =>
  z.looseObject({
    ...samplingFields(),
    model: absent(z.string("must be a string")),
    messages: listOf(message, "must be a list of messages").check(z.minLength(1, "must hold at least one message")),
    max_completion_tokens: whole(1),
    logprobs: flag(),
    top_logprobs: whole(-1),
    parallel_tool_calls: flag(),
    tools: absent(
      listOf(tool, "must be a list of tools").check(z.minLength(1, "must not be empty; leave it out instead")),
    ),
    tool_choice: absent(
      z.union(
        [z.enum(["none", "auto", "required"]), z.looseObject({})],
        'must be "none", "auto", "required" or a tool',
      ),
    ),
    response_format: absent(z.looseObject({ type: z.string("must be a string") }, "must be an object with a type")),
  }),
);

/** Any of these tells what a part is. */
const PART_FIELDS = new Set([
  "text",
  "image_url",
  "image_pil",
  "image_embeds",
  "audio_url",
  "audio_embeds",
  "input_audio",
  "video_url",
  "refusal",
]);

/** Throws `invalid_request`, naming the parameter, for a request that no vLLM would take. */
export function checkChatRequest(request: JsonObject): void {
  if (request["messages"] === undefined) {
    throw refuse(
      "messages",
      "input" in request ? '"messages" is required: "input" belongs to /v1/responses.' : '"messages" is required.',
    );
  }
  check(schema, request);
  checkParts(request["messages"]);
  checkStreaming(request);
  if (request["top_logprobs"] && request["logprobs"] !== true) {
    throw refuse("top_logprobs", '"top_logprobs" needs "logprobs": true.');
  }
  checkTools(request);
  const { response_format: format } = request;
  if (isObject(format) && format["type"] === "json_schema" && !isObject(format["json_schema"])) {
    throw refuse("response_format", '"response_format" of type json_schema needs its json_schema.');
  }
  if (request["continue_final_message"] === true && request["add_generation_prompt"] === true) {
    throw refuse(
      "continue_final_message",
      '"continue_final_message" and "add_generation_prompt" must not both be true.',
    );
  }
}

/**
 * Parts are looked at one by one, since a union of all of them could only say that none fits. vLLM also takes plain
 * strings, and parts that are told by their field instead of a type.
 */
function checkParts(messages: unknown): void {
  const list: unknown[] = Array.isArray(messages) ? messages : [];
  for (const [at, said] of list.entries()) {
    if (!isObject(said) || !Array.isArray(said["content"])) continue;
    for (const [place, entry] of said["content"].entries()) {
      if (typeof entry !== "string") checkPart(entry, `messages[${at}].content[${place}]`);
    }
  }
}

function checkPart(entry: unknown, param: string): void {
  check(part, entry, param);
  if (!isObject(entry)) return;
  const { type } = entry;
  const fields = Object.keys(entry);
  if ((type === undefined || type === null) && !fields.some((key) => PART_FIELDS.has(key))) {
    throw refuse(`${param}.type`, `"${param}.type" is required.`);
  }
  if (type === "text" && typeof entry["text"] !== "string") {
    throw refuse(`${param}.text`, `"${param}.text" is required in a part of type text.`);
  }
}

function checkTools({ tools, tool_choice: choice }: JsonObject): void {
  const names: unknown[] = [];
  const list: unknown[] = Array.isArray(tools) ? tools : [];
  for (const [at, entry] of list.entries()) {
    if (!isObject(entry) || !isFunction(entry)) continue;
    const name = isObject(entry["function"]) ? entry["function"]["name"] : undefined;
    if (typeof name !== "string" || name === "") {
      throw refuse(`tools[${at}].function.name`, `"tools[${at}].function.name" must be a string that is not empty.`);
    }
    names.push(name);
  }
  if (choice === undefined || choice === null || choice === "none") return;
  if (list.length === 0) throw refuse("tool_choice", '"tool_choice" needs "tools".');
  if (!isObject(choice) || !isFunction(choice)) return;
  const name = isObject(choice["function"]) ? choice["function"]["name"] : undefined;
  if (typeof name !== "string" || name === "") {
    throw refuse("tool_choice.function.name", '"tool_choice.function.name" must be the name of one of the tools.');
  }
  if (!names.includes(name)) throw refuse("tool_choice", '"tool_choice" names a tool that is not among "tools".');
}

/** vLLM lets the type of a tool away. */
function isFunction({ type }: JsonObject): boolean {
  return type === "function" || type === undefined || type === null;
}

/** Returns the most tokens that a choice may have, where the client set a limit. */
export function chatLimit(request: JsonObject): number | undefined {
  const limit = request["max_completion_tokens"] ?? request["max_tokens"];
  return typeof limit === "number" ? limit : undefined;
}

/** Returns the characters of text in the messages; pictures and the like are not counted. */
export function promptLength(messages: unknown): number {
  const list: unknown[] = Array.isArray(messages) ? messages : [];
  return list.reduce<number>((sum, said) => sum + (isObject(said) ? contentLength(said["content"]) : 0), 0);
}

function contentLength(content: unknown): number {
  if (typeof content === "string") return content.length;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts.reduce<number>(
    (sum, entry) => sum + (isObject(entry) && typeof entry["text"] === "string" ? entry["text"].length : 0),
    0,
  );
}
