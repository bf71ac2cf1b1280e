/** What an origin's head means, before anything of its answer reaches a client. */
import { expect, test } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { exchange } from "../../../src/origin/exchange.ts";
import { OriginHealth } from "../../../src/origin/health.ts";
import { FakeClock } from "../../support/clock.ts";

/** Asks an origin that answers with `response`, and returns the failure as it is told. */
function refused(clock: FakeClock, response: Response, told: { model?: string } = {}): Promise<GatewayError> {
  const asked = exchange({
    origins: [{ url: "http://a.test", weight: 1, models: undefined }],
    health: new OriginHealth(clock),
    random: () => 0,
    fetch: () => Promise.resolve(response),
    clock,
    model: "inner",
    request: { path: "/v1/chat/completions", body: "{}", headers: new Headers() },
    signal: new AbortController().signal,
    told: { model: told.model, promptParam: "messages", routeSwitch: undefined },
    expected: "text/event-stream",
  });
  return asked.then(
    () => Promise.reject(new Error("it was taken for a good answer")),
    (thrown: unknown) => (thrown instanceof GatewayError ? thrown : Promise.reject(thrown)),
  );
}

test("an error whose body never ends still has its status and its hint, after a second", async () => {
  const clock = new FakeClock();
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"err')) });
  const failure = refused(clock, new Response(body, { status: 503, headers: { "retry-after": "7" } }));
  await clock.advance(1_000);
  expect(await failure).toMatchObject({ code: "origin_unavailable", status: 503, retryAfterMs: 7_000 });
  expect(clock.pending).toBe(0);
});

test.for([
  ["7", 7_000],
  ["0.5", 500],
  ["0", 0],
  ["999999999", 86_400_000],
  ["1e306", undefined],
  ["", undefined],
  ["-1", undefined],
  ["soon", undefined],
  ["Wed, 21 Oct 2037 07:28:00 GMT", undefined],
] as const)("retry-after: %s is a wait of %s ms", async ([value, wait]) => {
  const response = new Response('{"error":"busy"}', { status: 429, headers: { "retry-after": value } });
  expect((await refused(new FakeClock(), response)).retryAfterMs).toBe(wait);
});

test("a refusal that names the origin's own model names the client's", async () => {
  const body = '{"error":{"message":"inner takes no images","type":"BadRequestError","param":null,"code":400}}';
  const failure = await refused(new FakeClock(), new Response(body, { status: 400 }), { model: "mine" });
  expect(failure).toMatchObject({ status: 400, message: "mine takes no images" });
});

test("an answer of another kind is not read", async () => {
  const response = new Response("<html>", { headers: { "content-type": "text/html" } });
  expect(await refused(new FakeClock(), response)).toMatchObject({ code: "origin_protocol", status: 502 });
});
