/** The rules of a chat request: what is refused, under which parameter and with which words, and what passes. */
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../../src/core/errors.ts";
import { readRequest } from "../../../support/chat-replay.ts";

const SAY = [{ role: "user", content: "hi" }];
const TOOLS = [{ type: "function", function: { name: "f" } }];

function refusal(body: string): unknown {
  try {
    readRequest(body);
    return "passes";
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    const { code, status, param, message } = thrown;
    return [code, status, param, message];
  }
}

describe("refused, with 400 and the parameter's name", () => {
  const rows: [object, string, string][] = [
    [{ n: 0 }, "n", '"n" must be a whole number from 1 to 16384.'],
    [{ n: 16_385 }, "n", '"n" must be a whole number from 1 to 16384.'],
    [{ n: 1.5 }, "n", '"n" must be a whole number from 1 to 16384.'],
    [{ n: "2" }, "n", '"n" must be a whole number from 1 to 16384.'],
    [{ max_tokens: 0 }, "max_tokens", '"max_tokens" must be a whole number, 1 or more.'],
    [
      { max_completion_tokens: -1 },
      "max_completion_tokens",
      '"max_completion_tokens" must be a whole number, 1 or more.',
    ],
    [{ min_tokens: -1 }, "min_tokens", '"min_tokens" must be a whole number, 0 or more.'],
    [{ max_tokens: 3, min_tokens: 4 }, "min_tokens", '"min_tokens" must not be greater than the limit of tokens.'],
    [
      { max_tokens: 9, max_completion_tokens: 3, min_tokens: 4 },
      "min_tokens",
      '"min_tokens" must not be greater than the limit of tokens.',
    ],
    [{ temperature: -0.01 }, "temperature", '"temperature" must be a number from 0 to 2.'],
    [{ temperature: 2.01 }, "temperature", '"temperature" must be a number from 0 to 2.'],
    [{ temperature: "hot" }, "temperature", '"temperature" must be a number from 0 to 2.'],
    [{ top_p: 0 }, "top_p", '"top_p" must be a number greater than 0 and at most 1.'],
    [{ top_p: 1.01 }, "top_p", '"top_p" must be a number greater than 0 and at most 1.'],
    [{ top_k: -2 }, "top_k", '"top_k" must be a whole number, -1 or more.'],
    [{ min_p: 1.01 }, "min_p", '"min_p" must be a number from 0 to 1.'],
    [{ presence_penalty: -2.01 }, "presence_penalty", '"presence_penalty" must be a number from -2 to 2.'],
    [{ frequency_penalty: 2.01 }, "frequency_penalty", '"frequency_penalty" must be a number from -2 to 2.'],
    [{ repetition_penalty: 0 }, "repetition_penalty", '"repetition_penalty" must be a number greater than 0.'],
    [{ seed: 1e21 }, "seed", '"seed" must be a whole number of 64 bits.'],
    [{ seed: 1.5 }, "seed", '"seed" must be a whole number of 64 bits.'],
    [{ seed: "x" }, "seed", '"seed" must be a whole number.'],
    [{ stop: "" }, "stop", '"stop" must not be empty.'],
    [{ stop: ["a", ""] }, "stop[1]", '"stop[1]" must not be empty.'],
    [{ stop: [5] }, "stop[0]", '"stop[0]" must be a string.'],
    [{ logprobs: 5 }, "logprobs", '"logprobs" must be true or false.'],
    [{ top_logprobs: 2 }, "top_logprobs", '"top_logprobs" needs "logprobs": true.'],
    [{ top_logprobs: -1, logprobs: false }, "top_logprobs", '"top_logprobs" needs "logprobs": true.'],
    [{ top_logprobs: -2, logprobs: true }, "top_logprobs", '"top_logprobs" must be a whole number, -1 or more.'],
    [{ prompt_logprobs: -2 }, "prompt_logprobs", '"prompt_logprobs" must be a whole number, -1 or more.'],
    [{ prompt_logprobs: 1, stream: true }, "prompt_logprobs", '"prompt_logprobs" cannot be had with "stream": true.'],
    [{ prompt_logprobs: -1, stream: true }, "prompt_logprobs", '"prompt_logprobs" cannot be had with "stream": true.'],
    [{ stream: "yes" }, "stream", '"stream" must be true or false.'],
    [{ stream_options: {} }, "stream_options", '"stream_options" goes only with "stream": true.'],
    [
      { stream_options: { include_usage: true }, stream: false },
      "stream_options",
      '"stream_options" goes only with "stream": true.',
    ],
    [{ stream_options: true, stream: true }, "stream_options", '"stream_options" must be an object.'],
    [
      { stream_options: { include_usage: 1 }, stream: true },
      "stream_options.include_usage",
      '"stream_options.include_usage" must be true or false.',
    ],
    [{ tools: [] }, "tools", '"tools" must not be empty; leave it out instead.'],
    [{ tools: {} }, "tools", '"tools" must be a list of tools.'],
    [{ tools: ["f"] }, "tools[0]", '"tools[0]" must be an object.'],
    [
      { tools: [...TOOLS, { type: "function" }] },
      "tools[1].function.name",
      '"tools[1].function.name" must be a string that is not empty.',
    ],
    [{ tool_choice: "auto" }, "tool_choice", '"tool_choice" needs "tools".'],
    [{ tool_choice: { type: "function", function: { name: "f" } } }, "tool_choice", '"tool_choice" needs "tools".'],
    [
      { tool_choice: "maybe", tools: TOOLS },
      "tool_choice",
      '"tool_choice" must be "none", "auto", "required" or a tool.',
    ],
    [
      { tool_choice: { type: "function" }, tools: TOOLS },
      "tool_choice.function.name",
      '"tool_choice.function.name" must be the name of one of the tools.',
    ],
    [
      { tool_choice: { type: "function", function: { name: "g" } }, tools: TOOLS },
      "tool_choice",
      '"tool_choice" names a tool that is not among "tools".',
    ],
    [{ parallel_tool_calls: 1 }, "parallel_tool_calls", '"parallel_tool_calls" must be true or false.'],
    [{ response_format: "json" }, "response_format", '"response_format" must be an object with a type.'],
    [{ response_format: {} }, "response_format.type", '"response_format.type" must be a string.'],
    [
      { response_format: { type: "json_schema" } },
      "response_format",
      '"response_format" of type json_schema needs its json_schema.',
    ],
    [
      { continue_final_message: true, add_generation_prompt: true },
      "continue_final_message",
      '"continue_final_message" and "add_generation_prompt" must not both be true.',
    ],
    [{ model: 5 }, "model", '"model" must be a string.'],
  ];
  test.each(rows)("%j", (fields, param, message) => {
    expect(refusal(JSON.stringify({ messages: SAY, ...fields }))).toEqual(["invalid_request", 400, param, message]);
  });
});

describe("messages", () => {
  const rows: [object, string, string][] = [
    [{}, "messages", '"messages" is required.'],
    [{ input: "hi" }, "messages", '"messages" is required: "input" belongs to /v1/responses.'],
    [{ messages: null }, "messages", '"messages" must be a list of messages.'],
    [{ messages: [] }, "messages", '"messages" must hold at least one message.'],
    [{ messages: ["hi"] }, "messages[0]", '"messages[0]" must be an object with a role and content.'],
    [{ messages: [...SAY, { content: "hi" }] }, "messages[1].role", '"messages[1].role" must be a string.'],
    [{ messages: [{ role: "", content: "hi" }] }, "messages[0].role", '"messages[0].role" must not be empty.'],
    [
      { messages: [{ role: "user", content: 5 }] },
      "messages[0].content",
      '"messages[0].content" must be a string or a list of content parts.',
    ],
  ];
  test.each(rows)("%j", (body, param, message) => {
    expect(refusal(JSON.stringify(body))).toEqual(["invalid_request", 400, param, message]);
  });

  const parts: [unknown, string, string][] = [
    [5, "", "must be an object or a string"],
    [{}, ".type", "is required"],
    [{ type: 5 }, ".type", "must be a string"],
    [{ type: "text" }, ".text", "is required in a part of type text"],
    [{ type: "text", text: 5 }, ".text", "must be a string"],
    [{ type: "image_url", image_url: 5 }, ".image_url", "must be a URL, or an object with one as its url"],
    [{ type: "image_url", image_url: {} }, ".image_url", "must be a URL, or an object with one as its url"],
  ];
  test.each(parts)("with a part %j", (part, path, message) => {
    const content = [{ type: "text", text: "hi" }, part];
    const param = `messages[1].content[1]${path}`;
    expect(refusal(JSON.stringify({ messages: [...SAY, { role: "user", content }] }))).toEqual([
      "invalid_request",
      400,
      param,
      `"${param}" ${message}.`,
    ]);
  });
});

test.each([
  ["", "The request body is not valid JSON."],
  ['{"messages":', "The request body is not valid JSON."],
  ["[1]", "The request body must be a JSON object."],
  ["null", "The request body must be a JSON object."],
])("a body of %j is refused", (body, message) => {
  expect(refusal(body)).toEqual(["invalid_request", 400, undefined, message]);
});

test("of duplicate keys the last one counts", () => {
  const said = JSON.stringify(SAY);
  expect(refusal(`{"messages":${said},"n":0,"n":1}`)).toBe("passes");
  expect(refusal(`{"messages":${said},"n":1,"n":0}`)).toContain("n");
});
