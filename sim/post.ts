import { hex } from "./dialects/ids.ts";
import { DIALECTS } from "./dialects/index.ts";
import { answerSteps } from "./engine/answer.ts";
import type { GeneratingName, OperationName } from "./engine/operation.ts";
import type { FaultContext } from "./faults/fault.ts";
import { spoil } from "./faults/spoil.ts";
import type { Gates } from "./gates.ts";
import type { RequestHead } from "./http/request.ts";
import { objectAt, stringAt, type JsonObject } from "./json.ts";
import { readModel, type DialectName, type Model } from "./model.ts";
import { OPERATIONS } from "./operations.ts";
import type { RecordedRequest, Recorder } from "./record.ts";
import type { Relay } from "./relays/index.ts";
import { refuse, reply } from "./replies.ts";
import { readBody } from "./rules/body.ts";
import { refusalOf } from "./rules/index.ts";
import { missingField } from "./rules/missing.ts";
import { closedRoute, unknownModel } from "./served.ts";
import type { Header, Steps } from "./steps.ts";

export interface Origin {
  gates: Gates;
  recorder: Recorder;
  /** Mean milliseconds between tokens. */
  pace: number;
  apiKey: string | undefined;
  /** Listed beside the base models. */
  models: readonly string[];
  /** The dialect where no model says one. */
  dialect: DialectName;
  /** True the first time that it is called with this key. */
  first(key: string): boolean;
}

/** A request with a body, on a path that some server has. */
export interface Posted {
  head: RequestHead;
  path: string;
  text: string;
  record: RecordedRequest | null;
}

/** Answers a request whose body names a model: an operation that streams, or a relay. */
export function post(origin: Origin, posted: Posted, target: GeneratingName | Relay): Steps {
  const { head, path, text, record } = posted;
  const checked = readBody(text, head.headers["content-type"], origin.dialect);
  if ("failure" in checked) return [refuse(DIALECTS[origin.dialect], checked.failure)];
  const { body } = checked;
  const name = stringAt(body, "model");
  if (record !== null) record.model = name ?? null;
  const operation: OperationName = typeof target === "string" ? target : "relay";
  const read = readModel(name ?? usualModel(body, operation), origin.dialect);
  if (!("model" in read)) {
    const dialect = DIALECTS[read.dialect];
    const wrong = "wrong" in read ? { status: 400, message: read.wrong, param: "model" } : unknownModel(dialect, name);
    return [refuse(dialect, wrong)];
  }
  const model: Model = name === undefined ? { ...read.model, dialect: origin.dialect } : read.model;
  const dialect = DIALECTS[model.dialect];
  const closed = closedRoute(model, target, dialect, head);
  if (closed !== undefined) return [closed];
  const key = `${model.name}\n${model.switches.key ?? ""}\n${text}`;
  const context: FaultContext = {
    operation,
    path,
    stream: operation !== "relay" && body["stream"] === true,
    dialect,
    switches: model.switches,
    first: () => origin.first(key),
  };
  if (typeof target === "string") return generated(origin, posted, { name: target, body, model, context });
  const missing = missingField(body, text, model.dialect, target.needs ?? []);
  if (missing !== undefined) return [refuse(dialect, missing)];
  return spoil(model, context, () => [reply(dialect, 200, target.answer(body, model))]);
}

/** Who answers a request without a model: the one that obeys, where obedience is asked for. */
function usualModel(body: JsonObject, operation: OperationName): string {
  if (operation === "relay") return "tiny";
  const sampling = objectAt(body, "sampling_params");
  const script = objectAt(body, "vllm_xargs") ?? objectAt(sampling, "vllm_xargs") ?? objectAt(sampling, "extra_args");
  return script === undefined ? "sim/chat" : "tiny";
}

interface Generating {
  name: GeneratingName;
  body: JsonObject;
  model: Model;
  context: FaultContext;
}

function generated(origin: Origin, { head, text }: Posted, { name, body, model, context }: Generating): Steps {
  const { dialect } = context;
  const operation = OPERATIONS[name];
  const requestId = head.headers["x-request-id"];
  const headers: Header[] = model.switches.request_id_headers === true ? [["x-request-id", requestId ?? hex(32)]] : [];
  const refusal = refusalOf(operation, body, text, model);
  if (refusal !== undefined && (refusal.when ?? "early") === "early") {
    const refused = refuse(dialect, refusal);
    return [refused.do === "reply" ? { ...refused, headers: [...refused.headers, ...headers] } : refused];
  }
  const options = { dialect, wire: dialect.wires[name], model, refusal, pace: origin.pace, requestId, headers };
  return spoil(model, context, (changed) => answerSteps({ ...options, plan: changed(operation.plan(body, model)) }));
}
