import type { DialectName } from "../model.ts";
import type { JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import { classify, embeddings, pooling, rerank, score } from "./pooling.ts";
import { renderChat } from "./render.ts";
import { detokenize, tokenize } from "./tokenize.ts";

/** A route with a JSON answer beside the streaming ones. */
export interface Relay {
  answer(body: JsonObject, model: Model): JsonObject;
  /** Fields without which the body is refused. */
  needs?: readonly string[];
  /** The only dialect that has the route. */
  only?: DialectName;
  /** Where only pooling models are served: any other model's server does not have the route. */
  pools?: boolean;
  /** Turned on by `--enable-scale-out`. */
  scaleOut?: boolean;
}

function pools(answer: Relay["answer"], ...needs: string[]): Relay {
  return { answer, needs, only: "python", pools: true };
}

const SCORE = pools(score, "text_1", "text_2");
const RERANK = pools(rerank, "query", "documents");

/** The relayed routes by their path. */
export const RELAYS: Readonly<Record<string, Relay>> = {
  "/tokenize": { answer: tokenize },
  "/detokenize": { answer: detokenize, needs: ["tokens"] },
  "/v1/chat/completions/render": { answer: renderChat, only: "python", scaleOut: true },
  "/v1/embeddings": pools(embeddings, "input"),
  "/pooling": pools(pooling, "input"),
  "/classify": pools(classify, "input"),
  "/score": SCORE,
  "/v1/score": SCORE,
  "/rerank": RERANK,
  "/v1/rerank": RERANK,
  "/v2/rerank": RERANK,
};
