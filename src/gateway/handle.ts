/** The story of one request: read → admit → choose → send → hold → pump. */
import type { Config } from "../config/config.ts";
import { asGatewayError } from "../core/errors.ts";
import { admit, identify } from "../door/keys.ts";
import { exchange, type Exchange } from "../origin/exchange.ts";
import { originHeaders } from "../origin/headers.ts";
import type { Call, Operation } from "../protocols/protocol.ts";
import type { Ending, Stage } from "../stream/ending.ts";
import type { Gateway, Invocation } from "./gateway.ts";
import { hold } from "./hold.ts";
import { Lifetime } from "./lifetime.ts";
import { writeLine, type Record } from "./log.ts";
import { readBody } from "./read-body.ts";
import { respondError, respondJson } from "./respond.ts";
import { readWhole } from "./whole.ts";

/** Answers one request to `operation`. Never throws: what goes wrong is answered in the operation's own protocol. */
export async function handle(
  request: Request,
  operation: Operation,
  gateway: Gateway,
  invocation: Invocation,
): Promise<Response> {
  const { clock } = gateway;
  const lifetime = new Lifetime(request);
  const record: Record = { id: gateway.newId("req_"), operation: operation.name, startedAt: clock.now() };
  let stage: Stage = "reading";
  const end = (ending: Ending): void => gateway.log(writeLine(record, ending, clock.now()));

  try {
    const config = invocation.config();
    const caller = await identify(request.headers, config, clock.now());
    record.caller = caller.name;
    const body = await readBody(request, config.limits, clock);
    const { maxFrameBytes } = config.limits;
    const call = operation.read(body, { newId: gateway.newId, now: () => clock.now(), maxFrameBytes });
    if (call.model !== undefined) record.model = call.model;
    record.stream = call.stream;
    admit(caller, call.model);
    stage = "waiting";
    const source = exchange(plan(call, operation, config, gateway, record.id, lifetime));
    if (call.stream) {
      const answer = call.answer();
      const held = await hold({ source, answer, lifetime, limits: config.limits, clock, record });
      invocation.waitUntil(held.ending.then(end));
      invocation.waitUntil(held.settled);
      if (held.response) return held.response;
      return refuse(await held.ending);
    }
    const text = await readWhole({
      source,
      free: () => lifetime.free(),
      limits: config.limits,
      clock,
      onHead: () => {
        record.headAt = clock.now();
        stage = "streaming";
      },
    });
    const { json, tokens } = call.whole(text);
    if (tokens) record.tokens = tokens;
    record.status = 200;
    end({ kind: "finished" });
    return respondJson(json, record.id);
  } catch (thrown) {
    lifetime.free();
    const ending: Ending = lifetime.left.aborted
      ? { kind: "client_left", stage }
      : { kind: "failed", error: asGatewayError(thrown) };
    const response = refuse(ending);
    end(ending);
    return response;
  }

  function refuse(ending: Ending): Response {
    if (ending.kind !== "failed") return new Response(null, { status: CLIENT_LEFT });
    record.status = ending.error.status;
    return respondError(ending.error, operation.writeError(ending.error), record.id);
  }
}

/** Nobody reads this status; it keeps the runtime's own account straight. */
const CLIENT_LEFT = 499;

/** Which origins come into question, and what the chosen one is asked. */
function plan(
  call: Call,
  operation: Operation,
  config: Config,
  gateway: Gateway,
  requestId: string,
  lifetime: Lifetime,
): Exchange {
  const model = call.model === undefined ? undefined : (config.aliases.get(call.model) ?? call.model);
  const expected = call.stream ? "text/event-stream" : "application/json";
  return {
    origins: config.origins,
    health: gateway.health,
    random: gateway.random,
    fetch: gateway.fetch,
    clock: gateway.clock,
    model,
    request: {
      path: operation.originPath,
      body: call.forward(model),
      headers: originHeaders(config, requestId, expected),
    },
    signal: lifetime.signal,
    expected,
  };
}
