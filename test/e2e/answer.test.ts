/** What reaches the client of an answer: the origin's own bytes where nothing is wrong, and the client's name of the model. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatRequest, DONE, FINISH, ROLE, USAGE, wholeAnswer, WORD } from "../support/chat-frames.ts";
import { send } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

let origin: Origin;
let worker: Worker;

beforeAll(async () => {
  origin = await startOrigin();
  worker = await startWorker({ ORIGINS: [{ url: origin.url }], MODELS: { alias: { model: "toy" } } });
});

afterAll(async () => {
  await worker.close();
  await origin.close();
});

/** What the client of a request with `fields` reads when its origin answers with `body`. */
async function answered(mark: string, fields: object, contentType: string, body: string): Promise<string> {
  using client = await send(worker.port, { body: chatRequest(mark, fields) });
  const request = await origin.request(mark);
  request.head(200, { "content-type": contentType });
  request.end(body);
  expect((await client.head()).status).toBe(200);
  return client.text();
}

function whole(mark: string, fields: object, body: string): Promise<string> {
  return answered(mark, fields, "application/json", body);
}

function streamed(mark: string, fields: object, body: string): Promise<string> {
  return answered(mark, { stream: true, ...fields }, "text/event-stream", body);
}

describe("a whole answer", () => {
  it("arrives byte for byte when it is right, in whatever spelling", async () => {
    const body =
      '\n{ "usage":{"completion_tokens":2,"prompt_tokens":1,"total_tokens":3},"model" :"toy", "object":"chat.completion",' +
      '"id":"chatcmpl-1","created":1795968723,"no_such_field":[1.0,9223372036854775807,"\\u00e9 \\/ 天気 😀"],' +
      '\t"choices":[{"message":{"content":"word","role":"assistant","refusal":null},"finish_reason":"stop","index":0}]}\r\n';
    expect(await whole("whole-right", {}, body)).toBe(body);
  });

  it("names the model as the client did", async () => {
    const body = JSON.stringify(wholeAnswer("toy"));
    const told = await whole("whole-alias", { model: "alias" }, body);
    expect(JSON.parse(told)).toEqual(wholeAnswer("alias"));
  });
});

describe("a stream", () => {
  const body = ROLE + WORD + FINISH + USAGE + DONE;

  it("arrives byte for byte when it is right and usage was asked for", async () => {
    expect(await streamed("stream-right", { stream_options: { include_usage: true } }, body)).toBe(body);
  });

  it("arrives byte for byte up to the usage when that was not asked for", async () => {
    expect(await streamed("stream-stripped", {}, body)).toBe(ROLE + WORD + FINISH + DONE);
  });

  it("names the model as the client did", async () => {
    const expected = (ROLE + WORD + FINISH + DONE).replaceAll('"model":"toy"', '"model":"alias"');
    expect(await streamed("stream-alias", { model: "alias" }, body)).toBe(expected);
  });
});
