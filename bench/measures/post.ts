/** Requests, as the bench makes them. */
import type { UsageAsked } from "../frames/frames.ts";
import { toModel, type Orders } from "../frames/orders.ts";
import type { Scenario } from "../frames/scenario.ts";
import type { Post } from "../load/target.ts";

const MESSAGES = "/v1/messages";

const OPTIONS: Readonly<Record<UsageAsked, object>> = {
  none: {},
  last: { stream_options: { include_usage: true } },
  each: { stream_options: { include_usage: true, continuous_usage_stats: true } },
};

/** A request for a stream, in Anthropic's Messages where the scenario has one and who is asked translates it. */
export function streamOf(scenario: Scenario, orders: Omit<Orders, "scenario">, translates = false): Post {
  const { name, path, request, usage, inMessages } = scenario;
  const model = toModel({ scenario: name, ...orders });
  if (translates && inMessages) return { path: MESSAGES, body: { model, ...inMessages, stream: true } };
  return { path, body: { model, ...request, stream: true, ...OPTIONS[usage] } };
}

/** A request for a whole answer. */
export function wholeOf(scenario: Scenario, orders: Omit<Orders, "scenario" | "steps" | "pace">): Post {
  const { name, path, request } = scenario;
  return { path, body: { model: toModel({ scenario: name, steps: 0, pace: 0, ...orders }), ...request } };
}

/** A request for a whole answer in Messages to who translates it; to others one for the stream that it is made of. */
export function foldedOf(scenario: Scenario, orders: Omit<Orders, "scenario">, translates: boolean): Post {
  const { name, inMessages } = scenario;
  if (!translates || !inMessages) return streamOf(scenario, orders);
  return { path: MESSAGES, body: { model: toModel({ scenario: name, ...orders }), ...inMessages } };
}

let tags = 0;

/** A name under which the origin remembers a request, different each time. */
export function newTag(): string {
  tags += 1;
  return `t${tags}`;
}
