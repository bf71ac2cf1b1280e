/** Whole answers of generate, and the ends of its streams as the client reads them. */
import { describe, expect, test } from "vitest";
import { oneLine, readGeneration, refusalOf } from "../../../support/operations.ts";
import { replayStream, streamCall, wholeCall } from "../../../support/replay.ts";

const CUT = "origin_cut 502 - The origin's stream ended before the answer was complete.";

const choice = (more: object = {}) => ({ index: 0, token_ids: [7, 2], finish_reason: "stop", ...more });

const read = (answer: string | object, request: object = {}) => {
  const call = wholeCall(readGeneration(JSON.stringify({ token_ids: [1], sampling_params: {}, ...request })));
  return call.whole(typeof answer === "string" ? answer : JSON.stringify(answer));
};

const CHUNK = 'data: {"request_id":"r","choices":[{"index":0,"token_ids":[7]}]}\n\n';
const DONE = "data: [DONE]\n\n";

const replay = (body: string, usage = true) => {
  const request = { token_ids: [1], sampling_params: {}, stream: true, stream_options: { include_usage: usage } };
  return replayStream(streamCall(readGeneration(JSON.stringify(request))), [new TextEncoder().encode(body)]);
};

describe("a whole answer", () => {
  test("leaves as the text that came, with usage or without", () => {
    const usage = '{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}';
    const python = `{"request_id":"r","model":"m","usage":${usage},"choices":[${JSON.stringify(choice({ x: 1 }))}]}`;
    expect(read(python)).toEqual({ json: python, tokens: { prompt: 1, completion: 2 }, finishReasons: ["stop"] });
    const rust = `{"request_id":"r","choices":[${JSON.stringify(choice())}],"prompt_logprobs":null}`;
    expect(read(rust)).toEqual({ json: rust, tokens: undefined, finishReasons: ["stop"] });
  });

  test.each(["abort", "error", "someday"])("may have any finish: %s", (reason) => {
    const body = JSON.stringify({ choices: [choice({ token_ids: [], finish_reason: reason })] });
    expect(read(body).json).toBe(body);
  });

  test("has the client's name of the model where it names one", () => {
    const { json } = read({ model: "theirs", choices: [choice()] }, { model: "mine" });
    expect(JSON.parse(json)).toEqual({ model: "mine", choices: [choice()] });
    expect(JSON.parse(read({ model: "theirs", choices: [choice()] }).json)).toMatchObject({ model: "theirs" });
    expect(JSON.parse(read({ choices: [choice()] }, { model: "mine" }).json)).toEqual({ choices: [choice()] });
  });

  test.each([
    ["[]", {}, "origin_protocol 502 - The origin's answer is not a JSON object."],
    [{ choices: [] }, {}, "origin_protocol 502 - The origin's stream held no answer."],
    [{ request_id: "r" }, {}, "origin_protocol 502 - The origin's stream held no answer."],
    [{ choices: [choice({ finish_reason: null })] }, {}, CUT],
    [{ choices: [choice()] }, { sampling_params: { n: 2 } }, CUT],
    [{ error: { message: "No.", code: 400 } }, {}, "invalid_request 400 - No."],
    [
      {
        error: { message: "The decoder prompt (length 50) is longer than the maximum model length of 20.", code: 400 },
      },
      {},
      "context_length_exceeded 400 token_ids This model's maximum context length is 20 tokens. However, your prompt resulted in 50 tokens. Please reduce the length of the prompt.",
    ],
  ])("fails: %j", (answer, request, failure) => {
    expect(refusalOf(() => read(answer, request))).toBe(failure);
  });
});

describe("a stream", () => {
  test("with an engine's error has the ids before it, one error and [DONE]; no finish, no usage", () => {
    const event = 'data: {"error":{"message":"EngineCore encountered an issue.","param":null,"code":500}}\n\n';
    const error =
      '{"message":"The origin failed while it worked on this request.","type":"server_error","param":null,"code":"origin_error"}';
    expect(replay(CHUNK + event + event + DONE).text).toBe(`${CHUNK}data: {"error":${error}}\n\n${DONE}`);
  });

  test.each([
    ["with a terminator", CHUNK + DONE],
    ["with an end", CHUNK],
    ["inside a chunk", CHUNK + CHUNK.slice(0, 40)],
  ])("that ends %s before its finish was cut", (_, body) => {
    const { text, failure } = replay(body);
    expect(failure && oneLine(failure)).toBe(CUT);
    expect(text.startsWith(`${CHUNK}data: {"error":`)).toBe(true);
    expect(text.endsWith(DONE)).toBe(true);
    expect(text.split("data: ")).toHaveLength(4);
  });

  test("that is only [DONE] is an error", () => {
    expect(replay(DONE).failure?.code).toBe("origin_protocol");
    expect(replay("", false).failure?.code).toBe("origin_protocol");
  });
});
