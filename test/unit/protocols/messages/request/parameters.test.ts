/** Everything of a request that is not its messages and tools. */
import { describe, expect, test } from "vitest";
import { translateCount, translateMessages } from "../../../../../src/protocols/messages/request/index.ts";
import { chatOf, HI } from "./translate.ts";

const SCHEMA = { type: "object", properties: {} };
const FORMAT = { type: "json_schema", json_schema: { name: "answer", schema: SCHEMA, strict: true } };

describe("one field becomes", () => {
  const rows: [object, object][] = [
    [
      { temperature: 0.5, top_p: 0.9, top_k: 40 },
      { temperature: 0.5, top_p: 0.9, top_k: 40 },
    ],
    [{ temperature: null, top_p: null, top_k: null }, {}],
    [{ temperature: 2 }, { temperature: 2 }],
    [{ stop_sequences: ["a", " "] }, { stop: ["a", " "] }],
    [{ stop_sequences: [] }, {}],
    [{ stop_sequences: null }, {}],
    [
      { max_tokens: 2048, thinking: { type: "enabled", budget_tokens: 4096 } },
      { chat_template_kwargs: { enable_thinking: true, thinking: true } },
    ],
    [{ thinking: { type: "adaptive" } }, { chat_template_kwargs: { enable_thinking: true, thinking: true } }],
    [{ thinking: { type: "between_tools" } }, { chat_template_kwargs: { enable_thinking: true, thinking: true } }],
    [{ thinking: { type: "disabled" } }, { chat_template_kwargs: { enable_thinking: false, thinking: false } }],
    [{ thinking: null }, {}],
    [
      { thinking: { type: "disabled" }, chat_template_kwargs: { thinking: true, x: 1 } },
      { chat_template_kwargs: { enable_thinking: false, thinking: true, x: 1 } },
    ],
    [{ chat_template_kwargs: { x: 1 } }, { chat_template_kwargs: { x: 1 } }],
    [{ output_config: { effort: "low" } }, { reasoning_effort: "low" }],
    [{ output_config: { effort: "medium" } }, { reasoning_effort: "medium" }],
    [{ output_config: { effort: "high" } }, { reasoning_effort: "high" }],
    [{ output_config: { effort: "xhigh" } }, { reasoning_effort: "high" }],
    [{ output_config: { effort: "max" } }, { reasoning_effort: "high" }],
    [{ output_config: { effort: null, format: null, task_budget: {} } }, {}],
    [{ reasoning_effort: "none" }, { reasoning_effort: "none" }],
    [{ reasoning_effort: "none", output_config: { effort: "low" } }, { reasoning_effort: "low" }],
    [{ output_config: { format: { type: "json_schema", schema: SCHEMA } } }, { response_format: FORMAT }],
    [{ output_format: { type: "json_schema", schema: SCHEMA } }, { response_format: FORMAT }],
  ];
  test.each(rows)("%j: %j", (request, expected) => {
    expect(chatOf(request)).toEqual({ messages: HI, ...expected });
  });
});

describe("max_tokens", () => {
  test.each([
    [9, undefined, 9],
    [9, 8, 8],
    [9, 9, 9],
    [32_000, 4_096, 4_096],
    [0, 8, 1],
    [0, undefined, 1],
  ])("%j within %j is %j", (max_tokens, window, expected) => {
    expect(translateMessages({ model: "m", messages: HI, max_tokens }, window).chat["max_tokens"]).toBe(expected);
  });
});

test("what changes nothing of an answer is ignored, whatever it is", () => {
  const ignored =
    "metadata service_tier speed inference_geo diagnostics context_management compaction fallbacks billing_policy " +
    "user_profile_id workspace_id betas cache_control response_format n logprobs user unheard_of __proto__ constructor";
  for (const value of [null, 5, "x", [], { user_id: "u" }]) {
    const request = Object.fromEntries(ignored.split(" ").map((field) => [field, value]));
    expect(chatOf({ ...request, container: null, thread: null, mcp_servers: [] })).toEqual({ messages: HI });
  }
});

test("vLLM's own fields pass as they are", () => {
  const passed = {
    seed: 7,
    min_p: 0.1,
    repetition_penalty: 1.1,
    presence_penalty: -1,
    frequency_penalty: 1,
    min_tokens: 2,
    stop_token_ids: [1],
    ignore_eos: true,
    include_stop_str_in_output: true,
    skip_special_tokens: false,
    spaces_between_special_tokens: false,
    bad_words: ["x"],
    allowed_token_ids: [2],
    logit_bias: { "3": 1 },
    structured_outputs: { regex: "a+" },
    chat_template: "{{ x }}",
    mm_processor_kwargs: { a: 1 },
    media_io_kwargs: { b: 2 },
    documents: [{ text: "t" }],
    priority: 0,
    cache_salt: "s",
    kv_transfer_params: { c: 3 },
    vllm_xargs: { d: 4 },
    thinking_token_budget: -1,
  };
  expect(chatOf(passed)).toEqual({ messages: HI, ...passed });
  expect(chatOf(Object.fromEntries(Object.keys(passed).map((field) => [field, null])))).toEqual({ messages: HI });
});

test("the keys have a fixed order, and the caller's are not among them", () => {
  const request = {
    seed: 7,
    stream: true,
    model: "m",
    stop_sequences: ["x"],
    tool_choice: { type: "auto", disable_parallel_tool_use: true },
    tools: [{ name: "f", input_schema: {} }],
    thinking: { type: "adaptive", display: "omitted" },
    output_config: { effort: "low", format: { type: "json_schema", schema: SCHEMA } },
    top_k: 1,
    top_p: 1,
    temperature: 1,
    messages: [...HI, { role: "assistant", content: "a" }],
    max_tokens: 9,
  };
  const { chat, ...rest } = translateMessages(request, undefined);
  expect(Object.keys(chat).join(" ")).toBe(
    "messages max_tokens temperature top_p top_k stop tools tool_choice response_format reasoning_effort " +
      "chat_template_kwargs add_generation_prompt continue_final_message seed",
  );
  expect(rest).toEqual({ stopSequences: ["x"], single: true, omitsThinking: true });
});

test.each([
  [{}, false],
  [{ thinking: { type: "adaptive", display: null } }, false],
  [{ thinking: { type: "adaptive", display: "summarized" } }, false],
  [{ thinking: { type: "adaptive", display: "omitted" } }, true],
])("%j: thinking is omitted: %j", (request, expected) => {
  const made = translateMessages({ model: "m", max_tokens: 9, messages: HI, ...request }, undefined);
  expect([made.omitsThinking, made.single, made.stopSequences]).toEqual([expected, false, []]);
});

describe("to count the tokens of", () => {
  const rows: [string, object, object][] = [
    ["a prompt", {}, { messages: HI }],
    ["one with parameters", { max_tokens: "x", temperature: 1, output_config: { effort: "low" } }, { messages: HI }],
    [
      "everything",
      {
        system: "s",
        tools: [{ name: "f", input_schema: SCHEMA }],
        tool_choice: { type: "any" },
        thinking: { type: "enabled", budget_tokens: 1024 },
        messages: [...HI, { role: "assistant", content: "a" }],
      },
      {
        messages: [{ role: "system", content: "s" }, ...HI, { role: "assistant", content: "a" }],
        tools: [{ type: "function", function: { name: "f", parameters: SCHEMA } }],
        chat_template_kwargs: { enable_thinking: true, thinking: true },
        add_generation_prompt: false,
        continue_final_message: true,
      },
    ],
  ];
  test.each(rows)("%s", (_, request, expected) => {
    expect(translateCount({ model: "m", messages: HI, ...request })).toEqual(expected);
  });
});
