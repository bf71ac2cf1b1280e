import assert from "node:assert/strict";
import { postChat } from "../gateway.ts";
import type { AnywhereStop } from "../stop.ts";

interface Refusal {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
  };
}

/** A mistake of the client's is said to be one, with the parameter's name. */
export const refusal: AnywhereStop = {
  title: "A request that makes no sense",
  where: "anywhere",
  async run(gateway, screen, sim) {
    screen.note('POST /v1/chat/completions  {"stream": "yes", …}');
    const before = sim?.requests().length;
    const response = await postChat(gateway, { stream: "yes", messages: [{ role: "user", content: "Hello" }] });
    const text = await response.text();
    assert.equal(response.status, 400, `the gateway answered ${response.status}: ${text}`);
    const { error }: Refusal = JSON.parse(text);
    assert.equal(error.param, "stream", `the error names ${error.param}`);
    assert.equal(error.type, "invalid_request_error", `the error's type is ${error.type}`);
    assert.equal(sim?.requests().length, before, "the origin was bothered with it");
    screen.piece(`${JSON.stringify({ error })}\n`);
    screen.seen(`HTTP ${response.status}, naming the parameter${sim ? "; the origin never heard of it" : ""}`);
  },
};
