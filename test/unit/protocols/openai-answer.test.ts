/** A chat stream in OpenAI's framing, frame by frame. */
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { readStream } from "../../support/chat-replay.ts";

const decoder = new TextDecoder();

const ROLE =
  '{"id":"c","object":"chat.completion.chunk","created":5,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}';
const TEXT = ROLE.replace('{"role":"assistant","content":""}', '{"content":"a"}');
const FINISH = ROLE.replace('{"role":"assistant","content":""}', '{},"finish_reason":"stop"');
const USAGE = ROLE.replace(
  /"choices".*/,
  '"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}',
);
const DONE = "data: [DONE]\n\n";

const record = (data: string) => `data: ${data}\n\n`;

function show(output: Uint8Array | GatewayError): string {
  return output instanceof GatewayError ? `${output.code} ${output.status}` : decoder.decode(output);
}

function open(asked = false) {
  const options = asked ? ',"stream_options":{"include_usage":true}' : "";
  const answer = readStream(
    `{"model":"m","messages":[{"role":"user","content":"x"}],"stream":true${options}}`,
  ).answer();
  return {
    answer,
    push: (data: string, unterminated = false) => answer.push({ data, bytes: undefined, unterminated }).map(show),
    end: () => answer.end().map(show),
  };
}

/** Returns all that comes of `frames`. */
function pushed(...frames: readonly string[]): string[] {
  const { push } = open();
  return frames.flatMap((frame) => push(frame));
}

describe("frames", () => {
  test("become records, the terminator once and last", () => {
    expect(pushed(ROLE, TEXT, FINISH, USAGE, "[DONE]")).toEqual([...[ROLE, TEXT, FINISH].map(record), DONE]);
  });

  test("with usage where it was asked for", () => {
    const { push } = open(true);
    expect([ROLE, FINISH, USAGE, "[DONE]"].flatMap((frame) => push(frame))).toEqual([
      ...[ROLE, FINISH, USAGE].map(record),
      DONE,
    ]);
  });

  test("leave as the bytes that came where nothing is changed", () => {
    const { answer } = open();
    const bytes = new TextEncoder().encode(record(ROLE));
    expect(answer.push({ data: ROLE, bytes, unterminated: false })[0]).toBe(bytes);
  });

  test.each(["{}", TEXT, "not JSON", "[DONE]", '{"error":"x"}'])("after the terminator are nothing: %s", (frame) => {
    const { push, answer } = open();
    for (const data of [ROLE, FINISH, "[DONE]"]) push(data);
    expect(answer.phase).toBe("done");
    expect(push(frame)).toEqual([]);
  });

  test.each(["not JSON", "[1]", "null", '"x"', '{"choices":[', "[DON"])(
    "that are no JSON object break the protocol: %s",
    (frame) => {
      expect(pushed(ROLE, TEXT, frame).slice(2)).toEqual(["origin_protocol 502"]);
      expect(pushed(ROLE, FINISH, frame).slice(1)).toEqual(["origin_protocol 502"]);
    },
  );

  test("what begins with the terminator is one", () => {
    expect(pushed(ROLE, FINISH, "[DONE] ").at(-1)).toBe(DONE);
  });

  test("nothing but a terminator is no answer", () => {
    expect(pushed("[DONE]")).toEqual(["origin_protocol 502"]);
    expect(pushed(USAGE, "[DONE]")).toEqual(["origin_protocol 502"]);
  });
});

describe("an error event", () => {
  const refused = '{"error":{"message":"The model is full","type":"BadRequestError","param":null,"code":400}}';

  test.each([
    ["first of all", [refused], ["invalid_request 400"]],
    ["after the role", [ROLE, refused], [record(ROLE), "invalid_request 400"]],
    ["after text", [ROLE, TEXT, refused], [record(ROLE), record(TEXT), "invalid_request 400"]],
    [
      "after the last finish, which waits and is not sent",
      [ROLE, FINISH, refused],
      [record(ROLE), "invalid_request 400"],
    ],
    ["of the engine", [ROLE, '{"error":{"message":"x","code":500}}'], [record(ROLE), "origin_error 500"]],
    ["that is text", ['{"error":"no"}'], ["origin_error 500"]],
    [
      "beside choices",
      [ROLE, TEXT.replace("}]}", '}],"error":{"code":400,"message":"no"}}')],
      [record(ROLE), "invalid_request 400"],
    ],
  ])("%s", (_, frames, sent) => {
    expect(pushed(...frames)).toEqual(sent);
  });

  test("after a finish that is not held back comes without usage", () => {
    const { push } = open(true);
    expect([ROLE, FINISH, refused].flatMap((frame) => push(frame))).toEqual([
      record(ROLE),
      record(FINISH),
      "invalid_request 400",
    ]);
  });

  test("of null is none", () => {
    const frame = TEXT.replace("}]}", '}],"error":null}');
    expect(pushed(ROLE, frame)).toEqual([record(ROLE), record(frame)]);
  });

  test("is told in-band, with a terminator after it", () => {
    const { answer } = open();
    const error = new GatewayError("origin_cut", "It broke.", { param: "messages" });
    expect(answer.fail(error)?.map((bytes) => decoder.decode(bytes))).toEqual([
      'data: {"error":{"message":"It broke.","type":"server_error","param":"messages","code":"origin_cut"}}\n\n',
      DONE,
    ]);
  });
});

describe("the end of the body", () => {
  test.each([
    ["before anything", [], ["origin_protocol 502"]],
    ["after the role", [ROLE], ["origin_cut 502"]],
    ["after text", [ROLE, TEXT], ["origin_cut 502"]],
    ["after the last finish", [ROLE, FINISH], [record(FINISH), DONE]],
    ["after usage", [ROLE, FINISH, USAGE], [DONE]],
  ])("%s", (_, frames, sent) => {
    const { push, end } = open();
    for (const frame of frames) push(frame);
    expect(end()).toEqual(sent);
  });

  test.each([
    ["a whole chunk", TEXT, [record(TEXT)], ["origin_cut 502"]],
    ["a whole finish", FINISH, [], [record(FINISH), DONE]],
    [
      "the terminator",
      "[DONE]",
      [`data: ${FINISH.replace('"delta":{}', '"delta":{},"logprobs":null')}\n\n`, DONE],
      undefined,
    ],
    ["half a chunk", TEXT.slice(0, 40), ["origin_cut 502"], undefined],
    ["half a terminator", "[DO", ["origin_cut 502"], undefined],
  ])("in the last record: %s", (_, frame, sent, ended) => {
    const { push, end } = open();
    push(ROLE);
    expect(push(frame, true)).toEqual(sent);
    if (ended) expect(end()).toEqual(ended);
  });

  test.each([TEXT.slice(0, 40), "[DON"])("half a record after the last finish loses nothing: %s", (frame) => {
    const { push, end } = open();
    push(ROLE);
    push(FINISH);
    expect(push(frame, true)).toEqual([]);
    expect(end()).toEqual([record(FINISH), DONE]);
  });
});

test("a keep-alive is a comment in a record of its own, and not a ping", () => {
  expect(decoder.decode(open().answer.keepAlive())).toBe(": keepalive\n\n");
});

test("phase and tokens follow the stream", () => {
  const { push, answer } = open(true);
  const seen = [ROLE, TEXT, FINISH, USAGE, "[DONE]"].map((frame) => {
    push(frame);
    return [answer.phase, answer.tokens?.completion];
  });
  expect(seen).toEqual([
    ["opening", undefined],
    ["open", undefined],
    ["settling", undefined],
    ["settling", 2],
    ["done", 2],
  ]);
});
