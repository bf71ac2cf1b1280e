import type { Header, Step, Steps } from "../steps.ts";
import { instead, type FaultTable } from "./fault.ts";
import { gzipped } from "./gzip.ts";
import { STREAMED } from "./where.ts";

/** What goes wrong with the connection and the head of an answer. */
export const NO_ANSWER: FaultTable = {
  "hang-up": instead("Closes without a byte, every time.", () => [{ do: "close" }]),
  "hang-up-once": {
    says: "Closes without a byte; the next request with the same model and body is answered.",
    spoils: "both",
    change: (steps, context) => (context.first() ? [{ do: "close" }] : steps),
  },
  silent: instead("Never answers; the socket stays open until the client goes.", () => [{ do: "hold" }]),
  "slow-head": {
    says: "The head comes after 3 s (`head_ms`), then a normal answer.",
    spoils: "both",
    switches: { head_ms: 3000 },
  },
  redirect: instead("307 to another host.", ({ dialect, path }) => [
    {
      do: "reply",
      status: 307,
      headers: [...dialect.emptyHeaders, ["location", `http://gpu-7.internal.example:8000${path}`]],
      body: undefined,
    },
  ]),
  "not-sse": {
    says: "200 `text/html` to a streaming request; `?as=json`: 200 `application/json`.",
    spoils: "stream",
    in: STREAMED,
    change: (_, { switches }) => [
      {
        do: "reply",
        status: 200,
        headers: typed(switches.as === "json" ? "application/json" : "text/html"),
        body: switches.as === "json" ? { status: "ok" } : "<!doctype html><title>Welcome to nginx!</title>",
      },
    ],
  },
  "no-type": {
    says: "An answer without content-type.",
    spoils: "both",
    change: (steps) => changeHeaders(steps, (headers) => headers.filter(([name]) => name !== "content-type")),
  },
  "empty-200": {
    says: "200, no byte, end.",
    spoils: "both",
    change: (_, { stream, dialect }) =>
      stream
        ? [{ do: "head", status: 200, headers: dialect.streamHeaders, framing: "chunked" }, { do: "end" }]
        : [{ do: "reply", status: 200, headers: dialect.jsonHeaders, body: undefined }],
  },
  gzip: {
    says: "Compresses the body though nobody asked for it.",
    spoils: "both",
    change: (steps) => gzipped(steps),
  },
  "huge-head": {
    says: "64 KiB of response headers (`size` in bytes).",
    spoils: "both",
    change: (steps, { switches }) =>
      changeHeaders(steps, (headers) => [...headers, ...padding(switches.size ?? 65_536)]),
  },
};

/** Headers of a whole answer with another content type. */
export function typed(type: string): Header[] {
  return [
    ["server", "nginx"],
    ["content-type", type],
    ["content-length", "$LENGTH"],
  ];
}

function* changeHeaders(steps: Steps, change: (headers: readonly Header[]) => Header[]): Generator<Step> {
  for (const step of steps) {
    yield step.do === "head" || step.do === "reply" ? { ...step, headers: change(step.headers) } : step;
  }
}

function padding(bytes: number): Header[] {
  const each = 1024;
  return Array.from({ length: Math.ceil(bytes / each) }, (_, number): Header => {
    const name = `x-origin-padding-${number}`;
    return [name, "p".repeat(each - name.length - 4)];
  });
}
