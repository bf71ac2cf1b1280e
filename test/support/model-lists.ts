/** Origins that answer with a list of models, or with anything else, and what the gateway makes of them. */
import { readConfig } from "../../src/config/config.ts";
import { ModelLists } from "../../src/origin/models.ts";
import { FakeClock } from "./clock.ts";

export const A = "http://a.test";
export const B = "http://b.test/base";

export type Reply = (init: RequestInit) => Promise<Response>;

export const list = (...ids: readonly string[]): Reply =>
  cards(...ids.map((id) => ({ id, created: 5, max_model_len: 2048 })));
export const cards = (...data: readonly unknown[]): Reply => body(JSON.stringify({ object: "list", data }));
export const body = (text: string, status = 200, type = "application/json"): Reply => {
  return () => Promise.resolve(new Response(text, { status, headers: { "content-type": type } }));
};
export const gone: Reply = () => Promise.reject(new TypeError("fetch failed"));

/** A head that never comes; or with one, a body that stops halfway. Both break off when the request is aborted. */
export const silent: Reply = ({ signal }) =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
export const halfway: Reply = ({ signal }) => {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"data":['));
      signal?.addEventListener("abort", () => controller.error(signal.reason));
    },
  });
  return Promise.resolve(new Response(stream));
};

export interface Stage {
  readonly replies: Record<string, Reply>;
  readonly clock: FakeClock;
  readonly asked: { readonly url: string; readonly init: RequestInit }[];
  /** Returns the ids of the merged list. */
  readonly ids: () => Promise<readonly string[] | undefined>;
  readonly merged: () => ReturnType<ModelLists["merged"]>;
}

export function stage(replies: Record<string, Reply>, settings: Record<string, unknown> = {}): Stage {
  const config = readConfig({ ORIGINS: Object.keys(replies).map((url) => ({ url })), ...settings });
  const asked: Stage["asked"] = [];
  const clock = new FakeClock();
  const lists = new ModelLists((url, init) => {
    asked.push({ url, init });
    return (replies[url.slice(0, -"/v1/models".length)] ?? gone)(init);
  }, clock);
  const merged = (): ReturnType<ModelLists["merged"]> => lists.merged(config);
  return { replies, clock, asked, merged, ids: async () => (await merged())?.map(({ id }) => id) };
}
