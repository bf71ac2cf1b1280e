import type { Config } from "../config/config.ts";
import { asGatewayError, GatewayError } from "../core/errors.ts";
import { readTrace } from "../core/trace.ts";
import { identify, opens } from "../door/keys.ts";
import type { ModelCard } from "../origin/models.ts";
import { writeModel, writeModelList } from "../protocols/model-card.ts";
import { modelNotFound } from "../vllm/reword.ts";
import type { Gateway, Invocation } from "./gateway.ts";
import { refuse } from "./refuse.ts";
import { report } from "./report.ts";
import { respondJson } from "./respond.ts";

/** Answers `GET /v1/models`, or `GET /v1/models/{id}` where `id` is given, with the models that are open to the caller. */
export async function listModels(
  request: Request,
  gateway: Gateway,
  invocation: Invocation,
  id?: string,
): Promise<Response> {
  const startedAt = gateway.clock.now();
  try {
    const config = invocation.config();
    const caller = await identify(request.headers, config, startedAt);
    const cards = (await served(gateway, config)).filter((card) => opens(caller, card.id));
    const json = id === undefined ? writeModelList(cards) : writeOne(cards, id);
    const requestId = gateway.newId("req_");
    const trace = readTrace(request.headers, gateway.newId);
    const record = { id: requestId, operation: "models", trace, caller: caller.name, status: 200, startedAt };
    report(record, { kind: "finished" }, gateway, invocation);
    return respondJson(json, requestId);
  } catch (thrown) {
    return refuse(asGatewayError(thrown), request, gateway, invocation);
  }
}

async function served(gateway: Gateway, config: Config): Promise<readonly ModelCard[]> {
  const cards = await gateway.models.merged(config);
  if (cards) return cards;
  throw new GatewayError("origin_unavailable", "No origin gives a list of its models at the moment.", {
    retryAfterMs: 5_000,
  });
}

function writeOne(cards: readonly ModelCard[], id: string): string {
  const card = cards.find((candidate) => candidate.id === id);
  if (card) return JSON.stringify(writeModel(card));
  throw new GatewayError("model_not_found", modelNotFound(id), { param: "model" });
}
