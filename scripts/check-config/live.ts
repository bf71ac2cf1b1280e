import type { Config } from "../../src/config/config.ts";
import { error, warning, type Finding } from "./finding.ts";
import { ask } from "./live/ask.ts";
import { judge } from "./live/judge.ts";

/** Asks each origin what it is, one after the other, and returns what that means; `model` is asked instead of its first. */
export async function checkLive({ origins, originHeaders }: Config, model?: string): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [at, { url, fetch }] of origins.entries()) {
    const name = `ORIGINS.${at}`;
    if (fetch) {
      found.push(warning(`${name}: reached through a binding, so it cannot be asked from here.`));
      continue;
    }
    try {
      found.push(...judge(name, await ask({ url, headers: originHeaders, model })));
    } catch (thrown) {
      found.push(error(`${name}: it cannot be reached from here (${reason(thrown)}).`));
    }
  }
  return found;
}

/** The system's word for it, such as ECONNREFUSED; the whole message would hold the address. */
function reason(thrown: unknown): string {
  const cause: unknown = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  const code: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "code") : undefined;
  if (typeof code === "string") return code;
  return cause instanceof Error ? cause.name : "no reason given";
}
