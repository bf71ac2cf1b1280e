import { expect } from "vitest";
import type { Rows } from "../support/row.ts";
import { CALLING } from "./tools.ts";

const PROTOCOL = { status: 502, error: { code: "origin_protocol" }, retry: "false" } as const;

export const rows: Rows = {
  "full-cut": [
    {
      it: "the client is told that the answer was cut",
      whole: true,
      gets: { status: 502, error: { code: "origin_cut" }, retry: "true" },
    },
  ],
  "full-bad-json": [{ it: "the client does not get what cannot be read", whole: true, gets: PROTOCOL }],
  "full-stall": [
    {
      it: "the client gets 504, and the origin is freed",
      on: "hasty",
      whole: true,
      gets: { status: 504, error: { code: "origin_timeout" }, retry: "false" },
      origin: ["closed"],
    },
  ],
  "full-huge": [
    {
      it: "the client is told, and the origin is freed before it has sent much",
      whole: true,
      gets: PROTOCOL,
      origin: ["closed"],
      originBytes: 32_000_000,
    },
  ],
  "full-rules": [
    {
      it: "the client gets what a stream would have brought",
      whole: true,
      request: CALLING,
      gets: {
        answer: { finish: "tool_calls" },
        calls: [{ name: "get_weather", arguments: '{"city":"Łódź","days":1}' }],
        usage: { estimated: true },
        also: expectBothReasonings,
      },
    },
  ],
  "full-sse": [{ it: "a stream is not taken for a whole answer", whole: true, gets: PROTOCOL, origin: "either" }],
};

interface Reasoned {
  readonly choices: readonly { readonly message: { readonly reasoning: string; readonly reasoning_content: string } }[];
}

/** The dialects differ in the line ends around it. */
function expectBothReasonings(body: string): void {
  const { choices }: Reasoned = JSON.parse(body);
  const message = choices[0]?.message;
  expect(message?.reasoning.trim()).toBe("A tool knows that…");
  expect(message?.reasoning_content).toBe(message?.reasoning);
}
