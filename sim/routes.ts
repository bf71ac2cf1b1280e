import { planFor } from "./chat/plan.ts";
import { chatSteps } from "./chat/answer.ts";
import { hex } from "./dialects/ids.ts";
import { DIALECTS } from "./dialects/index.ts";
import type { Dialect, Failure } from "./dialects/dialect.ts";
import { spoil } from "./faults/spoil.ts";
import type { Gates } from "./gates.ts";
import type { RequestHead } from "./http/request.ts";
import { objectAt, stringAt, type Json, type JsonObject } from "./json.ts";
import { readModel, type DialectName, type Model } from "./model.ts";
import { modelList } from "./models.ts";
import type { RecordedRequest, Recorder } from "./record.ts";
import { readBody } from "./rules/body.ts";
import { refusalOf } from "./rules/index.ts";
import type { Header, Step, Steps } from "./steps.ts";
import { tokenize } from "./tokenize.ts";

export interface Origin {
  gates: Gates;
  recorder: Recorder;
  /** Mean milliseconds between tokens. */
  pace: number;
  apiKey: string | undefined;
  /** The dialect where no model says one. */
  dialect: DialectName;
  /** True the first time that it is called with this key. */
  first(key: string): boolean;
}

const METHODS: Readonly<Record<string, "GET" | "POST">> = {
  "/v1/chat/completions": "POST",
  "/v1/models": "GET",
  "/tokenize": "POST",
  "/health": "GET",
};

/** The steps of the answer to a request. */
export function route(origin: Origin, head: RequestHead, text: string, record: RecordedRequest | null): Steps {
  const { pathname: path, searchParams } = new URL(head.target, "http://sim");
  const dialect = DIALECTS[origin.dialect];
  if (path.startsWith("/sim/")) return ownRoute(origin, head.method, path, Number(searchParams.get("since") ?? 0));
  const key = origin.apiKey;
  if (key !== undefined && path.startsWith("/v1") && bearerOf(head) !== key) {
    // The key is checked outside the part of the Python server that adds `vary`.
    const headers = dialect.jsonHeaders.filter(([name]) => name !== "vary");
    return [reply(dialect, 401, { error: "Unauthorized" }, headers)];
  }
  const method = METHODS[path];
  if (method === undefined) return [noRoute(dialect, head, path)];
  const asked = head.method === "HEAD" && dialect.name === "rust" ? "GET" : head.method;
  if (asked !== method) return [wrongMethod(dialect, head, method)];
  if (path === "/health") return [reply(dialect, 200, undefined)];
  if (path === "/v1/models") return [reply(dialect, 200, modelList(dialect.name))];
  return post(origin, head, path, text, record);
}

/** The token after `Bearer`, which may be spelled in any case. */
function bearerOf(head: RequestHead): string | undefined {
  return /^bearer (.+)$/i.exec(head.headers["authorization"] ?? "")?.[1];
}

function post(origin: Origin, head: RequestHead, path: string, text: string, record: RecordedRequest | null): Steps {
  const checked = readBody(text, head.headers["content-type"], origin.dialect);
  if ("failure" in checked) return [refuse(DIALECTS[origin.dialect], checked.failure)];
  const { body } = checked;
  const name = stringAt(body, "model");
  if (record !== null) record.model = name ?? null;
  const scripted = objectAt(body, "vllm_xargs") !== undefined || path === "/tokenize";
  const read = readModel(name ?? (scripted ? "tiny" : "sim/chat"), origin.dialect);
  if (!("model" in read)) {
    const dialect = DIALECTS[read.dialect];
    return [
      refuse(dialect, "wrong" in read ? { status: 400, message: read.wrong, param: "model" } : unknown(dialect, name)),
    ];
  }
  const model: Model = name === undefined ? { ...read.model, dialect: origin.dialect } : read.model;
  const dialect = DIALECTS[model.dialect];
  if (path === "/tokenize") return [reply(dialect, 200, tokenize(body, model.window))];
  return chat(origin, head, body, text, model, dialect);
}

function chat(
  origin: Origin,
  head: RequestHead,
  body: JsonObject,
  text: string,
  model: Model,
  dialect: Dialect,
): Steps {
  const requestId = head.headers["x-request-id"];
  const headers: Header[] = model.switches.request_id_headers === true ? [["x-request-id", requestId ?? hex(32)]] : [];
  const refusal = refusalOf(body, text, model);
  if (refusal !== undefined && (refusal.when ?? "early") === "early") {
    return [withHeaders(refuse(dialect, refusal), headers)];
  }
  const plan = planFor(body, model);
  const options = { dialect, model, plan, refusal, pace: origin.pace, requestId, headers };
  const key = `${model.name}\n${model.switches.key ?? ""}\n${text}`;
  return spoil((spoilt) => chatSteps({ ...options, plan: spoilt }), {
    model,
    context: { stream: plan.stream, dialect, switches: model.switches, plan, first: () => origin.first(key) },
  });
}

function withHeaders(step: Step, headers: readonly Header[]): Step {
  return step.do === "reply" ? { ...step, headers: [...step.headers, ...headers] } : step;
}

function ownRoute({ recorder, gates }: Origin, method: string, path: string, since: number): Steps {
  const json = DIALECTS.rust;
  const gate = /^\/sim\/gates\/([^/]+)$/.exec(path)?.[1];
  if (gate !== undefined && method === "POST") {
    return [reply(json, 200, { waiting: gates.open(decodeURIComponent(gate)) })];
  }
  if (path === "/sim/requests" && method === "GET") return [reply(json, 200, recorder.asJson(since))];
  if (path === "/sim/requests" && method === "DELETE") {
    recorder.clear();
    return [reply(json, 200, [])];
  }
  return [reply(json, 404, { error: "no such route of the simulation" })];
}

function reply(dialect: Dialect, status: number, body: Json | undefined, headers?: readonly Header[]): Step {
  return {
    do: "reply",
    status,
    headers: headers ?? (body === undefined ? dialect.emptyHeaders : dialect.jsonHeaders),
    body,
  };
}

/** A refusal before the head, in the dialect's error shape. */
function refuse(dialect: Dialect, failure: Failure): Step {
  return reply(dialect, failure.status, dialect.error(failure));
}

function unknown(dialect: Dialect, name: string | undefined): Failure {
  const known = dialect.name === "python" ? " Valid aliases: sim/chat, sim/say, tiny." : "";
  return { status: 404, message: `The model \`${name ?? ""}\` does not exist.${known}`, param: "model" };
}

function noRoute(dialect: Dialect, head: RequestHead, path: string): Step {
  if (dialect.name === "rust") return reply(dialect, 404, undefined);
  const plain = path.slice(0, -1);
  if (path.endsWith("/") && METHODS[plain] !== undefined) {
    const location: Header = ["location", `http://${head.headers["host"] ?? "origin.test"}${plain}`];
    return reply(dialect, 307, undefined, [
      ["server", "uvicorn"],
      ["content-length", "0"],
      location,
      ["vary", "Origin"],
    ]);
  }
  return reply(dialect, 404, { detail: "Not Found" });
}

function wrongMethod(dialect: Dialect, head: RequestHead, method: string): Step {
  const allow: Header = ["allow", method];
  const preflight = head.method === "OPTIONS" && head.headers["access-control-request-method"] !== undefined;
  if (preflight) return preflightReply(dialect, allow);
  if (dialect.name === "rust") return reply(dialect, 405, undefined, [allow, ["content-length", "0"]]);
  const [server, ...rest] = dialect.jsonHeaders;
  return reply(dialect, 405, { detail: "Method Not Allowed" }, [server ?? ["server", "uvicorn"], allow, ...rest]);
}

/** Python refuses a preflight unless its CORS options allow the origin; Rust allows it. */
function preflightReply(dialect: Dialect, allow: Header): Step {
  const cors: Header[] = [
    ["access-control-allow-methods", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"],
    ["access-control-max-age", "600"],
  ];
  const varies = ["Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers"];
  if (dialect.name === "rust") {
    return reply(dialect, 200, undefined, [["vary", "origin"], ...cors, allow, ["content-length", "0"]]);
  }
  const vary: Header = ["vary", [...varies, "Access-Control-Request-Private-Network"].join(", ")];
  const type: Header = ["content-type", "text/plain; charset=utf-8"];
  const headers: Header[] = [["server", "uvicorn"], vary, ...cors, ["content-length", "$LENGTH"], type];
  return reply(dialect, 400, "Disallowed CORS origin", headers);
}
