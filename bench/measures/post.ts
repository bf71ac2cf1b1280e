/** Requests, as the bench makes them. */
import type { UsageAsked } from "../frames/frames.ts";
import { toModel, type Orders } from "../frames/orders.ts";
import type { Scenario } from "../frames/scenario.ts";
import type { Post } from "../load/target.ts";

const OPTIONS: Readonly<Record<UsageAsked, object>> = {
  none: {},
  last: { stream_options: { include_usage: true } },
  each: { stream_options: { include_usage: true, continuous_usage_stats: true } },
};

/** A request for a stream. */
export function streamOf(scenario: Scenario, orders: Omit<Orders, "scenario">): Post {
  const { name, path, request, usage } = scenario;
  const model = toModel({ scenario: name, ...orders });
  return { path, body: { model, ...request, stream: true, ...OPTIONS[usage] } };
}

/** A request for a whole answer. */
export function wholeOf(scenario: Scenario, orders: Omit<Orders, "scenario" | "steps" | "pace">): Post {
  const { name, path, request } = scenario;
  return { path, body: { model: toModel({ scenario: name, steps: 0, pace: 0, ...orders }), ...request } };
}

let tags = 0;

/** A name under which the origin remembers a request, different each time. */
export function newTag(): string {
  tags += 1;
  return `t${tags}`;
}
