/** What generate refuses before any origin hears of it, and what it says of an origin that has the route switched off. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSim, type Sim } from "../../sim/server.ts";
import { send } from "../support/client.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const OFF = ["off", "absent"].flatMap((how) => ["", "-rust"].map((dialect) => `sim/chat${dialect}?scale_out=${how}`));

let sim: Sim;
let worker: Worker;

beforeAll(async () => {
  sim = await startSim({ pace: 0, models: OFF });
  worker = await startWorker({ ORIGINS: [{ url: sim.url }], HOLD_MS: 60_000 });
});

afterAll(async () => {
  await worker.close();
  await sim.close();
});

async function refusal(body: object): Promise<object> {
  using client = await send(worker.port, { path: "/inference/v1/generate", body });
  const { status, headers } = await client.head();
  const { error } = await client.json();
  return { status, retry: headers["x-should-retry"], ...error };
}

/** What reached the origin, its list of models aside. */
function heard(): string[] {
  return sim.requests().flatMap(({ method, path }) => (path === "/v1/models" ? [] : `${method} ${path}`));
}

const NOT_FOUND = {
  status: 404,
  retry: "false",
  code: "model_not_found",
  type: "invalid_request_error",
  param: "model",
};
/** Breaks every other rule too. */
const ALL_WRONG = { stream_options: {}, token_ids: [], sampling_params: null };

describe("a generate request", () => {
  it("for a model that is not served is told so before anything else, and the origin hears nothing", async () => {
    const message = "The model `nope` does not exist.";
    expect(await refusal({ ...ALL_WRONG, model: "nope" })).toEqual({ ...NOT_FOUND, message });
    expect(await refusal({ ...ALL_WRONG, model: "nope", stream: true })).toEqual({ ...NOT_FOUND, message });
    expect(heard()).toEqual([]);
  });

  it("for a model without a name is told so before anything else, and the origin hears nothing", async () => {
    expect(await refusal({ ...ALL_WRONG, model: "" })).toMatchObject(NOT_FOUND);
    expect(heard()).toEqual([]);
  });

  it.each([
    ["stream_options", ALL_WRONG],
    ["token_ids", { ...ALL_WRONG, stream_options: null }],
    ["token_ids", { ...ALL_WRONG, stream_options: null, token_ids: [1, -1] }],
    ["sampling_params", { token_ids: [1] }],
    ["sampling_params", { token_ids: [1], sampling_params: { max_tokens: 0 } }],
  ])(
    "of the server's own model that breaks a rule is told of %s, and the origin hears nothing",
    async (param, body) => {
      expect(await refusal(body)).toMatchObject({ status: 400, code: "invalid_request", param });
      expect(heard()).toEqual([]);
    },
  );
});

describe("a generate route that is switched off", () => {
  for (const model of OFF) {
    for (const stream of [true, false]) {
      it(`is told with the switch that turns it on: ${model}, ${stream ? "stream" : "whole"}`, async () => {
        const body = { model, stream, token_ids: [40], sampling_params: {} };
        expect(await refusal(body)).toEqual({
          status: 501,
          retry: "false",
          message: "The origin's vLLM was started without --enable-scale-out.",
          type: "server_error",
          param: null,
          code: "not_supported_by_origin",
        });
      });
    }
  }
});
