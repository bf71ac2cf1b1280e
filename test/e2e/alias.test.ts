/** What an alias stands for reaches nobody: not in an answer, not in an error, in whichever way the origin tells it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { send } from "../support/client.ts";
import { startOrigin, type Origin, type OriginRequest } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const INNER = "theirs";
const MESSAGES = [{ role: "user", content: "hi" }];
const NOT_FOUND = {
  message: `The model \`${INNER}\` does not exist.`,
  type: "NotFoundError",
  param: "model",
  code: 404,
};

let origin: Origin;
let worker: Worker;

beforeAll(async () => {
  origin = await startOrigin((request) => {
    if (request.path === "/v1/models") request.json({ data: [{ id: INNER, root: "/disk/theirs" }] });
  });
  worker = await startWorker({ ORIGINS: [{ url: origin.url }], MODELS: { mine: { model: INNER } } });
});

afterAll(async () => {
  await worker.close();
  await origin.close();
});

/** Asks `path` as `mark`, lets the origin answer, and returns what came of it. */
async function ask(
  path: string,
  body: object,
  mark: string,
  answer: (request: OriginRequest) => void,
): Promise<string> {
  using client = await send(worker.port, { path, body: { ...body, model: "mine", user: mark } });
  const request = await origin.request(mark);
  expect(JSON.parse(request.body)).toMatchObject({ model: INNER });
  answer(request);
  return await client.text();
}

it("a relayed answer names the model as the client did, and is otherwise as it came", async () => {
  const body = await ask("/v1/embeddings", { input: "x" }, "relayed answer", (request) => {
    request.head(200, { "content-type": "application/json" });
    request.end(`{ "data":[1.0],"model" : "${INNER}" }`);
  });
  expect(body).toBe('{ "data":[1.0],"model" : "mine" }');
});

it.each([
  ["/v1/chat/completions", { messages: MESSAGES, stream: true }],
  ["/v1/completions", { prompt: "x", stream: true }],
  ["/inference/v1/generate", { token_ids: [1], sampling_params: {}, stream: true }],
])("an error in the stream of %s does not name it", async (path, body) => {
  const text = await ask(path, body, `in-band ${path}`, (request) => {
    request.head(200, { "content-type": "text/event-stream" });
    request.end(`data: ${JSON.stringify({ error: NOT_FOUND })}\n\ndata: [DONE]\n\n`);
  });
  expect(JSON.parse(text)).toMatchObject({ error: { code: "model_not_found", param: "model" } });
  expect(text).toContain("`mine`");
  expect(text).not.toContain(INNER);
});

it("nor does an error that comes as a whole answer, nor one with a status of its own", async () => {
  const bad = { message: "theirs takes no images", type: "BadRequestError", param: "messages", code: 400 };
  const whole = await ask("/v1/chat/completions", { messages: MESSAGES }, "whole error", (request) =>
    request.json({ error: bad }),
  );
  const refused = await ask("/v1/chat/completions", { messages: MESSAGES }, "refused", (request) =>
    request.json({ error: bad }, 400),
  );
  for (const text of [whole, refused]) {
    expect(JSON.parse(text)).toMatchObject({ error: { code: "invalid_request", message: "mine takes no images" } });
  }
});
