import { once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";

import type { Gates } from "../gates.ts";
import { settle, type RecordedRequest } from "../record.ts";
import { textOf, type Header, type Step, type Steps } from "../steps.ts";

export interface Stage {
  socket: Socket;
  gates: Gates;
  /** Aborted when the client has gone. */
  signal: AbortSignal;
  record: RecordedRequest | null;
  /** The answer has no body whatever the steps say: a HEAD request. */
  bodiless: boolean;
  /** The client asked for this connection to be closed after the answer. */
  lastOnSocket: boolean;
}

/** Whether the connection can take another request. */
export type AfterAnswer = "reuse" | "gone";

type Body = { framing: "none" } | { framing: "chunked" } | { framing: "raw"; lengthKnown: boolean };

const STATUS: Record<number, string> = {
  200: "OK",
  307: "Temporary Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

/** Steps between two turns of the event loop when nothing waits, so that a leaving client is noticed. */
const STEPS_PER_TURN = 32;

/**
 * Plays an answer on a socket, one socket write per event, honouring backpressure.
 * Returns when the answer is over; throws when the client leaves first.
 */
export async function play(steps: Steps, stage: Stage): Promise<AfterAnswer> {
  const { socket, record, signal } = stage;
  let body: Body = { framing: "none" };
  let sinceTurn = 0;

  const send = async (bytes: Uint8Array | string): Promise<void> => {
    signal.throwIfAborted();
    if (!socket.write(bytes)) await once(socket, "drain", { signal });
  };

  const head = (status: number, headers: readonly Header[], framing: "chunked" | "raw"): string => {
    const close: Header[] = stage.lastOnSocket ? [["connection", "close"]] : [];
    const chunked: Header[] = framing === "chunked" ? [["transfer-encoding", "chunked"]] : [];
    const lines = [["date", new Date().toUTCString()] as const, ...headers, ...close, ...chunked];
    const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    if (record !== null) record.firstByteAt = Date.now();
    return `HTTP/1.1 ${status} ${STATUS[status] ?? "Status"}\r\n${text}\r\n`;
  };

  const write = async (data: Uint8Array | string, frames: number): Promise<void> => {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    if (record !== null) {
      record.bytes += bytes.length;
      record.frames += frames;
    }
    if (stage.bodiless || bytes.length === 0) return;
    if (body.framing === "chunked") {
      await send(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]));
    } else {
      await send(bytes);
    }
  };

  /** Waits for `until`, with a comment every so often. */
  const stay = async (until: Promise<void>, comments: number | undefined): Promise<void> => {
    if (comments === undefined) return until;
    const over = until.then(() => "over" as const);
    while ((await Promise.race([over, sleep(comments, "tick" as const, { signal })])) === "tick") {
      await write(": keep-alive\n\n", 1);
    }
  };

  const reply = async (step: Step & { do: "reply" }): Promise<void> => {
    const { body: content } = step;
    const text = content === undefined ? "" : typeof content === "string" ? content : JSON.stringify(content);
    const bytes = Buffer.from(text);
    const headers = step.headers.map(([name, value]): Header => [name, value.replace("$LENGTH", `${bytes.length}`)]);
    body = { framing: "raw", lengthKnown: true };
    if (record !== null) record.bytes += bytes.length;
    const first = Buffer.from(head(step.status, headers, "raw"));
    await send(stage.bodiless ? first : Buffer.concat([first, bytes]));
  };

  for (const step of steps) {
    signal.throwIfAborted();
    sinceTurn += 1;
    if (sinceTurn >= STEPS_PER_TURN) {
      sinceTurn = 0;
      await turn();
    }
    switch (step.do) {
      case "head": {
        const lengthKnown = step.headers.some(([name]) => name === "content-length");
        body = step.framing === "chunked" ? { framing: "chunked" } : { framing: "raw", lengthKnown };
        await send(head(step.status, step.headers, step.framing));
        break;
      }
      case "reply":
        await reply(step);
        break;
      case "frame":
      case "done":
      case "comment":
        await write(textOf(step) ?? "", 1);
        break;
      case "write":
        await write(step.bytes, step.frames ?? 0);
        break;
      case "wait":
        if (step.ms > 0) await sleep(step.ms, undefined, { signal });
        break;
      case "flush":
        await turn();
        break;
      case "gate":
        await stay(stage.gates.pass(step.name, signal), step.comments);
        break;
      case "hold":
        await stay(
          once(signal, "abort").then(() => signal.throwIfAborted()),
          step.comments,
        );
        break;
      case "close":
        settle(record, "finished");
        socket.end();
        return "gone";
      case "reset":
        settle(record, "finished");
        socket.resetAndDestroy();
        return "gone";
      case "end":
        return finish(body, stage);
    }
  }
  return finish(body, stage);
}

function finish(body: Body, { socket, record, lastOnSocket, bodiless }: Stage): AfterAnswer {
  settle(record, "finished");
  const last = body.framing === "chunked" && !bodiless ? "0\r\n\r\n" : "";
  const reusable = !lastOnSocket && (body.framing === "chunked" || (body.framing === "raw" && body.lengthKnown));
  if (last !== "") socket.write(last);
  if (reusable) return "reuse";
  socket.end();
  return "gone";
}
