import { callText } from "../chat/speak.ts";
import { isObject, objectAt, objectsAt, omit, parseJson, stringAt, type JsonObject } from "../json.ts";
import type { Header, Step, Steps } from "../steps.ts";
import { callsOf, planSaying } from "./calling.ts";
import { carrying, fillBytes, filling, hollowed } from "./carrying.ts";
import { halfBody } from "./cuts.ts";
import type { FaultTable } from "./fault.ts";
import { mapBody } from "./frames.ts";
import { CHAT_ONLY } from "./where.ts";

/** What goes wrong with whole (non-streaming) answers. Asked to stream, these models behave as `sim/chat`. */
export const WHOLES: FaultTable = {
  "full-cut": {
    says: "The content-length says more than comes.",
    spoils: "whole",
    change: (steps) => halfBody(steps, [{ do: "close" }]),
  },
  "full-bad-json": {
    says: "Broken JSON with 200.",
    spoils: "whole",
    change: (steps) => mapReply(steps, (text) => `${text.slice(0, -20)}]`),
  },
  "full-stall": {
    says: "The head, half the body, then silence.",
    spoils: "whole",
    change: (steps) => halfBody(steps, [{ do: "hold" }]),
  },
  "full-huge": {
    says: "A body of 64 MiB (`size` in bytes).",
    spoils: "whole",
    change: (steps, { switches }) => huge(steps, switches.size ?? 64 * 1024 * 1024),
  },
  "full-rules": {
    says: "Finish `stop` with calls, reasoning as `reasoning_content`, arguments as an object, no usage.",
    spoils: "whole",
    in: CHAT_ONLY,
    switches: { reasoning: "reasoning_content" },
    plan: (plan) => ({
      ...planSaying(plan, `<think>\nA tool knows that…\n</think>\n\n${callsOf(plan, 1).map(callText).join("\n")}`),
      parsers: { tools: true, reasoning: true, thinking: true, onlyFirstCall: false },
    }),
    change: (steps) => mapBody(steps, againstTheRules),
  },
  "full-sse": {
    says: "An SSE body to a non-streaming request.",
    spoils: "whole",
    *change(steps, { dialect }) {
      for (const step of steps) {
        if (step.do !== "reply") yield step;
        else {
          yield { do: "head", status: 200, headers: dialect.streamHeaders, framing: "chunked" };
          yield { do: "write", bytes: `data: ${JSON.stringify(step.body)}\n\n`, frames: 1 };
          yield { do: "done" };
          yield { do: "end" };
        }
      }
    },
  },
};

function* mapReply(steps: Steps, change: (text: string) => string): Generator<Step> {
  for (const step of steps) {
    yield step.do === "reply" ? { ...step, body: change(JSON.stringify(step.body)) } : step;
  }
}

function againstTheRules(body: JsonObject): JsonObject {
  const rest = omit(body, "usage");
  for (const choice of objectsAt(rest, "choices")) {
    choice["finish_reason"] = "stop";
    for (const call of objectsAt(objectAt(choice, "message"), "tool_calls")) {
      const fn = objectAt(call, "function");
      const text = stringAt(fn, "arguments");
      if (fn !== undefined && text !== undefined) fn["arguments"] = parseJson(text);
    }
  }
  return rest;
}

/** The same answer with a very long text, or very many ids. */
function* huge(steps: Steps, size: number): Generator<Step> {
  for (const step of steps) {
    if (step.do !== "reply" || !isObject(step.body)) {
      yield step;
      continue;
    }
    const { body } = step;
    const hollow = hollowed((mark) => said(body, mark));
    const total = Buffer.byteLength(hollow.before + hollow.rest) + fillBytes(hollow, size);
    const headers = step.headers.map(([name, value]): Header => [name, value.replace("$LENGTH", `${total}`)]);
    yield { do: "head", status: step.status, headers, framing: "raw" };
    for (const bytes of filling(hollow, size)) yield { do: "write", bytes };
  }
}

/** The body with a text in its first choice; without choices, beside everything else. */
function said(body: JsonObject, text: string): JsonObject {
  const [first, ...others] = objectsAt(body, "choices");
  return first === undefined ? { ...body, x_sim: text } : { ...body, choices: [carrying(first, text), ...others] };
}
