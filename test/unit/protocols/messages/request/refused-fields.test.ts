/** Which plain fields are refused, under which parameter and with which words. */
import { expect, test } from "vitest";
import { refusalOf, type Row } from "./translate.ts";

const fields: Row[] = [
  [{ model: undefined }, "model", '"model" is required.'],
  [{ model: 5 }, "model", '"model" must be a string.'],
  [{ model: "" }, "model", '"model" must not be empty.'],
  [{ messages: null }, "messages", '"messages" is required.'],
  [{ messages: {} }, "messages", '"messages" must be a list of at least one message.'],
  [{ messages: [] }, "messages", '"messages" must be a list of at least one message.'],
  [{ thread: "t" }, "thread", '"thread" cannot be had here: nothing is kept between requests.'],
  [{ container: {} }, "container", '"container" cannot be had here: nothing is kept between requests.'],
  [{ mcp_servers: {} }, "mcp_servers", '"mcp_servers" must be a list.'],
  [
    { mcp_servers: [{}] },
    "mcp_servers",
    '"mcp_servers" cannot be had here: send their tools as custom tools and run them yourself.',
  ],
  [{ system: 5 }, "system", '"system" must be a string or a list of content blocks.'],
  [{ system: ["x"] }, "system[0]", '"system[0]" must be a content block.'],
  [{ system: [{ type: "text" }] }, "system[0].text", '"system[0].text" must be a string.'],
  [{ system: [{ type: "image" }] }, "system[0].type", '"system[0].type" must not be "image" in a system prompt.'],
  [{ chat_template_kwargs: [] }, "chat_template_kwargs", '"chat_template_kwargs" must be an object.'],
];

const answers: Row[] = [
  [{ max_tokens: undefined }, "max_tokens", '"max_tokens" is required.'],
  [{ max_tokens: -1 }, "max_tokens", '"max_tokens" must be a whole number, 0 or more.'],
  [{ max_tokens: "9" }, "max_tokens", '"max_tokens" must be a whole number, 0 or more.'],
  [{ stream: "yes" }, "stream", '"stream" must be true or false.'],
  [{ temperature: 3 }, "temperature", '"temperature" must be a number from 0 to 2.'],
  [{ top_p: 0 }, "top_p", '"top_p" must be a number greater than 0 and at most 1.'],
  [{ top_k: 1.5 }, "top_k", '"top_k" must be a whole number, -1 or more.'],
  [{ stop_sequences: "a" }, "stop_sequences", '"stop_sequences" must be a list of strings.'],
  [{ stop_sequences: ["a", ""] }, "stop_sequences[1]", '"stop_sequences[1]" must not be empty.'],
  [{ stop_sequences: [null] }, "stop_sequences[0]", '"stop_sequences[0]" must be a string.'],
  [{ output_config: [] }, "output_config", '"output_config" must be an object.'],
  [
    { output_config: { effort: "none" } },
    "output_config.effort",
    '"output_config.effort" must be "low", "medium", "high", "xhigh" or "max".',
  ],
  [
    { output_config: { format: { type: "text" } } },
    "output_config.format.type",
    '"output_config.format.type" must be "json_schema".',
  ],
  [{ output_format: { type: "json_schema" } }, "output_format.schema", '"output_format.schema" must be an object.'],
  [{ seed: "x" }, "seed", '"seed" must be a whole number.'],
  [{ min_p: 2 }, "min_p", '"min_p" must be a number from 0 to 1.'],
  [{ min_tokens: 10 }, "min_tokens", '"min_tokens" must not be greater than the limit of tokens.'],
];

test.each([...fields, ...answers])("%j", (request, param, sentence) => {
  expect(refusalOf(request)).toEqual(["invalid_request", param, sentence]);
});

test.each(fields)("to count: %j", (request, param, sentence) => {
  expect(refusalOf(request, true)).toEqual(["invalid_request", param, sentence]);
});

test.each(answers)("a count does not look at it: %j", (request) => {
  expect(refusalOf(request, true)).toEqual({ messages: [{ role: "user", content: "hi" }] });
});
