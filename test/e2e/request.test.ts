/** What reaches the origin of a request: the client's own text, and of what is ours to change no more than that. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerChat } from "../support/chat-frames.ts";
import { send } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const MODELS = { small: { model: "org/small-model" }, größer: { model: 'org/"big"' } };
/** A member that every request must have. */
const HI = '"messages":[{"role":"user","content":"hi"}]';

let origin: Origin;
let worker: Worker;

beforeAll(async () => {
  origin = await startOrigin(answerChat);
  worker = await startWorker({ ORIGINS: [{ url: origin.url }], MODELS });
});

afterAll(async () => {
  await worker.close();
  await origin.close();
});

/** Returns what the origin was asked when a client sent `body`. */
async function forwarded(body: string): Promise<string | undefined> {
  const before = origin.requests.length;
  using client = await send(worker.port, { body });
  expect((await client.head()).status).toBe(200);
  await client.text();
  expect(origin.requests).toHaveLength(before + 1);
  return origin.requests.at(-1)?.body;
}

/** Members that must arrive as they were sent. */
const MEMBERS = {
  "a seed of 64 bits": `"model":"m",${HI},"seed":9223372036854775807`,
  "a negative seed of 64 bits": `"model":"m",${HI},"seed":-9223372036854775808`,
  "numbers in every spelling": `"model":"m",${HI},"temperature":1.0,"top_p":1e-1,"min_p":0.10000000000000000555,"n":1`,
  "duplicate keys": `"model":"m","max_tokens":1,"max_tokens":2,"messages":[],${HI}`,
  "fields nobody knows": `"model":"m",${HI},"vllm_xargs":{"a":[1.50,{"b":null}]},"no_such_field":{"deep":{"deeper":true}}`,
  "keys in no order": '"messages":[{"content":"b","role":"user"}],"model":"m"',
  "white space": '\n\t "model" :\r\n "m" , "messages" : [ { "role" : "user" , "content" : "hi" } ]  \n',
  "escapes and characters of every length": `"model":"m",${HI},"user":"\\u00e9 é \\/ / \\ud83d\\ude00 😀 天気 \\u0000"`,
  "null for the model": `"model":null,${HI}`,
  "no model": HI,
  "null for what is not wanted": `"model":"m",${HI},"n":null,"seed":null,"tools":null,"stop":null`,
  "dangerous keys": `"model":"m",${HI},"__proto__":{"stream":true},"constructor":1`,
};

describe("the body of a request for a whole answer", () => {
  for (const [what, members] of Object.entries(MEMBERS)) {
    it(`arrives as it was sent, with ${what}`, async () => {
      expect(await forwarded(`{${members}}`)).toBe(`{${members}}`);
    });
  }

  it("arrives as it was sent, with white space around it", async () => {
    expect(await forwarded(`\r\n\t {${HI} } \n`)).toBe(`\r\n\t {${HI} } \n`);
  });

  for (const stream of ["false", "null", 'true,"stream":false']) {
    it(`arrives as it was sent, with "stream":${stream}`, async () => {
      const body = `{"stream":${stream},${HI},"stream_options":null}`;
      expect(await forwarded(body)).toBe(body);
    });
  }
});

describe("the body of a request for a stream", () => {
  const ASKED = '"stream_options":{"include_usage":true}';

  for (const [what, members] of Object.entries(MEMBERS)) {
    it(`asks for usage and is else what was sent, with ${what}`, async () => {
      // What follows the last member is white space, and stays at the end.
      const space = /\s*$/.exec(members)?.[0] ?? "";
      expect(await forwarded(`{"stream":true,${members}}`)).toBe(
        `{"stream":true,${members.trimEnd()},${ASKED}${space}}`,
      );
    });
  }

  const OPTIONS: Readonly<Record<string, readonly [sent: string, expected: string]>> = {
    "null for them": ['"stream_options" : null', '"stream_options" : {"include_usage":true}'],
    "none of them": ['"stream_options":{ }', '"stream_options":{"include_usage":true }'],
    "no to usage": [
      '"stream_options":{ "include_usage" : false, "extra":1.0 }',
      '"stream_options":{ "include_usage" : true, "extra":1.0 }',
    ],
    "null for usage": ['"stream_options":{"include_usage":null}', ASKED],
    "continuous usage alone, which counts for nothing": ['"stream_options":{"continuous_usage_stats":true}', ASKED],
    "no to usage after a yes": [
      '"stream_options":{"include_usage":true,"include_usage":false}',
      '"stream_options":{"include_usage":true,"include_usage":true}',
    ],
    "options given twice": [
      '"stream_options":{"include_usage":true},"stream_options":{"extra":2}',
      '"stream_options":{"include_usage":true},"stream_options":{"extra":2,"include_usage":true}',
    ],
  };
  for (const [what, [sent, expected]] of Object.entries(OPTIONS)) {
    it(`asks for usage in the client's own options, with ${what}`, async () => {
      const rest = `${HI},"seed":9223372036854775807`;
      expect(await forwarded(`{"stream":true, ${sent} ,${rest}}`)).toBe(`{"stream":true, ${expected} ,${rest}}`);
    });
  }

  for (const options of ['{"include_usage":true}', '{ "continuous_usage_stats" : true , "include_usage" : true }']) {
    it(`arrives as it was sent when it asks for usage itself: ${options}`, async () => {
      const body = `{ "stream_options" : ${options}, "stream":true,${HI} }`;
      expect(await forwarded(body)).toBe(body);
    });
  }
});

describe("parallel_tool_calls", () => {
  it("is ours to keep where it is false", async () => {
    const rest = `"seed":1.0,${HI}`;
    expect(await forwarded(`{"parallel_tool_calls":false, ${rest}}`)).toBe(`{ ${rest}}`);
    expect(await forwarded(`{"parallel_tool_calls":true,${rest}}`)).toBe(`{"parallel_tool_calls":true,${rest}}`);
  });
});

describe("an alias", () => {
  it("changes the model's value and nothing else", async () => {
    const sent = `{ "seed": 9223372036854775807, "model" :\t"small", "temperature": 1.0, ${HI}, "extra": {"model": "small"} }`;
    const expected = `{ "seed": 9223372036854775807, "model" :\t"org/small-model", "temperature": 1.0, ${HI}, "extra": {"model": "small"} }`;
    expect(await forwarded(sent)).toBe(expected);
  });

  it("is found under an escaped spelling, and its model is written as JSON", async () => {
    const sent = `{"mod\\u0065l":"gr\\u00f6\\u00dfer",${HI}}`;
    expect(await forwarded(sent)).toBe(`{"mod\\u0065l":"org/\\"big\\"",${HI}}`);
  });

  it("counts where it is the last of several", async () => {
    expect(await forwarded(`{"model":"m","model":"small",${HI}}`)).toBe(
      `{"model":"m","model":"org/small-model",${HI}}`,
    );
    expect(await forwarded(`{"model":"small","model":"m",${HI}}`)).toBe(`{"model":"small","model":"m",${HI}}`);
  });

  it("is not taken from what every object has", async () => {
    expect(await forwarded(`{"model":"constructor",${HI}}`)).toBe(`{"model":"constructor",${HI}}`);
  });

  it("changes the model beside the usage that a stream asks for", async () => {
    const sent = `{"stream":true,"model":"small","seed":9223372036854775807,${HI}}`;
    const expected = `{"stream":true,"model":"org/small-model","seed":9223372036854775807,${HI},"stream_options":{"include_usage":true}}`;
    expect(await forwarded(sent)).toBe(expected);
  });
});
