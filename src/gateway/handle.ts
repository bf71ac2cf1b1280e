/** The story of one request: read → admit → choose → send → hold → pump. */
import type { Alias, Config } from "../config/config.ts";
import { asGatewayError } from "../core/errors.ts";
import { readTrace } from "../core/trace.ts";
import { admit, identify, opens, type Caller } from "../door/keys.ts";
import { exchange, type Exchange } from "../origin/exchange.ts";
import { originHeaders } from "../origin/headers.ts";
import type { Call, CallParts, Operation, WholeAnswer } from "../protocols/protocol.ts";
import { readJson, type JsonBody } from "../protocols/read-json.ts";
import { SseParser } from "../sse/parse.ts";
import type { Ending, Stage } from "../stream/ending.ts";
import { fold } from "./fold.ts";
import type { Gateway, Invocation } from "./gateway.ts";
import { hold } from "./hold.ts";
import { Lifetime } from "./lifetime.ts";
import { readBody } from "./read-body.ts";
import type { Record } from "./record.ts";
import { bytesAsFrames, RelayedAnswer, relayLimits } from "./relay.ts";
import { report } from "./report.ts";
import { respondError, respondJson, respondStream } from "./respond.ts";
import { readWhole, type WholeParts } from "./whole.ts";

type Source = Promise<ReadableStream<Uint8Array>>;

/** Answers one request to `operation`. Never throws: what goes wrong is answered in the operation's own protocol. */
export async function handle(
  request: Request,
  operation: Operation,
  gateway: Gateway,
  invocation: Invocation,
): Promise<Response> {
  const { clock } = gateway;
  const lifetime = new Lifetime(request);
  const record: Record = {
    id: gateway.newId("req_"),
    operation: operation.name,
    genAiName: operation.genAiName,
    trace: readTrace(request.headers, gateway.newId),
    startedAt: clock.now(),
  };
  let stage: Stage = "reading";
  const end = (ending: Ending): void => report(record, ending, gateway, invocation);

  try {
    const config = invocation.config();
    const caller = await identify(request.headers, config, clock.now());
    record.caller = caller.name;
    const body = readJson(await readBody(request, config.limits, clock));
    const call = operation.read(body, await callParts(operation, body, caller, config, gateway));
    if (call.model !== undefined) record.model = call.model;
    record.stream = call.kind === "stream";
    admit(caller, call.model);
    stage = "waiting";
    const planned = plan(call, operation, config, gateway, record, lifetime);
    const source = exchange(planned);
    const whole = wholeOf(call, planned.model, config);
    if (whole) return await answerWhole(whole, source);
    const parts = { source, lifetime, clock, record };
    const { limits } = config;
    const held =
      call.kind === "stream"
        ? hold({
            ...parts,
            limits,
            parser: new SseParser(limits.maxFrameBytes),
            answer: call.answer(planned.model),
            respond: respondStream,
          })
        : hold({
            ...parts,
            limits: relayLimits(limits),
            parser: bytesAsFrames,
            answer: new RelayedAnswer(),
            respond: respondJson,
          });
    const { response, ending, settled } = await held;
    invocation.waitUntil(settled);
    if (!response) return refuse(await ending);
    invocation.waitUntil(ending.then(end));
    return response;
  } catch (thrown) {
    lifetime.free();
    const ending: Ending = lifetime.left.aborted
      ? { kind: "client_left", stage }
      : { kind: "failed", error: asGatewayError(thrown) };
    return refuse(ending);
  }

  async function answerWhole(whole: Whole, source: Source): Promise<Response> {
    const onHead = (): void => {
      record.headAt = clock.now();
      stage = "streaming";
    };
    const { json, tokens, finishReasons } = await whole({ source, free: () => lifetime.free(), clock, onHead });
    if (tokens) record.tokens = tokens;
    if (finishReasons) record.finishReasons = finishReasons;
    record.status = 200;
    end({ kind: "finished" });
    return respondJson(json, record.id);
  }

  /** Answers a request that ended before its head went out, and logs it with the status that it gets. */
  function refuse(ending: Ending): Response {
    if (ending.kind === "failed") record.status = ending.error.status;
    end(ending);
    if (ending.kind !== "failed") return new Response(null, { status: CLIENT_LEFT });
    return respondError(ending.error, operation.writeError(ending.error, record.id), record.id);
  }
}

/** Nobody reads this status; it keeps the runtime's own account straight. */
const CLIENT_LEFT = 499;

type Whole = (parts: Omit<WholeParts, "limits">) => Promise<WholeAnswer>;

/** Returns how a whole answer comes about; nothing for what streams. Behind an alias a relayed body is read whole, to be renamed. */
function wholeOf(call: Call, model: string | undefined, { limits }: Config): Whole | undefined {
  if (call.kind === "whole") return async (parts) => call.whole(await readWhole({ ...parts, limits }), model);
  if (call.kind === "folded") {
    return async (parts) => {
      const events = call.events(model);
      const answer = await fold({ ...parts, limits, events, parser: new SseParser(limits.maxFrameBytes) });
      return { json: call.write(answer), tokens: events.tokens, finishReasons: events.finishReasons };
    };
  }
  if (call.kind === "stream" || call.model === model) return undefined;
  return async (parts) => ({ json: call.rename(await readWhole({ ...parts, limits })), tokens: undefined });
}

/** The list of models is only asked for where the request names one, and shows the caller's own models alone. */
async function callParts(
  operation: Operation,
  { json }: JsonBody,
  caller: Caller,
  config: Config,
  gateway: Gateway,
): Promise<CallParts> {
  const names = operation.knowsModels && typeof json["model"] === "string";
  const served = names ? await gateway.models.served(config) : undefined;
  return {
    newId: gateway.newId,
    now: () => gateway.clock.now(),
    models: served && new Map([...served].filter(([id]) => opens(caller, id))),
    thinkingWhenForced: aliasOf(json["model"], config)?.thinkingWhenForced,
    maxFrameBytes: config.limits.maxFrameBytes,
  };
}

function aliasOf(model: unknown, { aliases }: Config): Alias | undefined {
  return typeof model === "string" ? aliases.get(model) : undefined;
}

/** Which origins come into question, and what the chosen one is asked. */
function plan(
  call: Call,
  operation: Operation,
  config: Config,
  gateway: Gateway,
  record: Record,
  lifetime: Lifetime,
): Exchange {
  const model = aliasOf(call.model, config)?.model ?? call.model;
  const streams = call.kind === "stream" || call.kind === "folded";
  const expected = streams ? "text/event-stream" : "application/json";
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
      headers: originHeaders(config, record.id, record.trace, expected),
    },
    signal: lifetime.signal,
    told: { model: call.model, promptParam: call.promptParam, routeSwitch: operation.originSwitch },
    expected,
    onAttempt: ({ url }) => {
      record.origin = url;
      record.attempts = (record.attempts ?? 0) + 1;
    },
  };
}
