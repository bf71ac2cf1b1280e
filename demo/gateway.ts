/** The gateway as a client knows it: an address, a key, a model, and what comes over the wire. */
import assert from "node:assert/strict";

export interface Gateway {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string | undefined;
  readonly model: string;
  /** Ends every request when the tour ends. */
  readonly signal: AbortSignal;
}

export interface Chunk {
  readonly choices?: readonly { readonly delta: Delta; readonly finish_reason?: string | null }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly error?: { readonly message: string; readonly code: string | null };
}

export interface Delta {
  readonly content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly {
    readonly index?: number;
    readonly id?: string;
    readonly function?: { readonly name?: string | null; readonly arguments?: string | null };
  }[];
}

/** Sends a chat request. */
export function postChat(gateway: Gateway, body: object): Promise<Response> {
  return post(gateway, "/v1/chat/completions", body);
}

/** Sends a request for the gateway's model. */
export function post(gateway: Gateway, path: string, body: object): Promise<Response> {
  return fetch(gateway.url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(gateway.key === undefined ? {} : { authorization: `Bearer ${gateway.key}` }),
    },
    body: JSON.stringify({ model: gateway.model, ...body }),
    signal: gateway.signal,
  });
}

/** Returns the body of a stream that began well. */
export async function streamOf(response: Response): Promise<ReadableStream<Uint8Array>> {
  if (response.status !== 200) assert.fail(`the gateway answered ${response.status}: ${await response.text()}`);
  assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/, "the answer is not an event stream");
  assert.ok(response.body, "the answer has no body");
  return response.body;
}

/** Yields what stands behind `data:` in each event, as it comes. Comments, such as keep-alives, are passed over. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending = "";
  for await (const bytes of body) {
    pending += decoder.decode(bytes, { stream: true });
    const records = pending.split("\n\n");
    pending = records.pop() ?? "";
    for (const record of records) {
      // In some protocols the event's name stands before it, on a line of its own.
      const data = record.split("\n").find((line) => line.startsWith("data: "));
      if (data !== undefined) yield data.slice("data: ".length);
    }
  }
  assert.equal(pending, "", "the stream ended inside an event");
}

/** Yields the chunks of a stream. Throws unless `[DONE]` comes, once and last. */
export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Chunk> {
  let done = false;
  for await (const data of eventsOf(body)) {
    assert.ok(!done, "something followed [DONE]");
    done = data === "[DONE]";
    if (done) continue;
    const chunk: Chunk = JSON.parse(data);
    yield chunk;
  }
  assert.ok(done, "the stream ended without [DONE]");
}
