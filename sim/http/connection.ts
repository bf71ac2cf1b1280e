import type { Socket } from "node:net";

import type { Gates } from "../gates.ts";
import { settle, type RecordedRequest } from "../record.ts";
import type { Steps } from "../steps.ts";
import { play } from "./play.ts";
import { createRequestParser, type RequestHead } from "./request.ts";

/** What a connection asks of the server. */
export interface Service {
  gates: Gates;
  /** Called as soon as the head is there. Null: a request that is not recorded. */
  begin(head: RequestHead): RecordedRequest | null;
  /** Called with the whole body. */
  answer(head: RequestHead, body: string, record: RecordedRequest | null): Steps;
}

/** vLLM drops an idle connection after five seconds. */
const IDLE_MS = 5000;

/** Serves one connection: its requests one after the other, until either side ends it. */
export function serveConnection(socket: Socket, service: Service): void {
  const parser = createRequestParser();
  const gone = new AbortController();
  let current: { head: RequestHead; record: RecordedRequest | null } | null = null;
  let queue = Promise.resolve();

  const leave = (): void => {
    settle(current?.record ?? null, "closed");
    gone.abort();
    socket.destroy();
  };
  socket.setNoDelay(true);
  socket.setTimeout(IDLE_MS, () => current === null && socket.destroy());
  socket.on("close", leave);
  socket.on("end", leave);
  socket.on("error", leave);

  const respond = async (head: RequestHead, body: string, record: RecordedRequest | null): Promise<void> => {
    if (gone.signal.aborted) return;
    const lastOnSocket = /\bclose\b/i.test(head.headers["connection"] ?? "") || head.version === "1.0";
    const stage = {
      socket,
      gates: service.gates,
      signal: gone.signal,
      record,
      bodiless: head.method === "HEAD",
      lastOnSocket,
    };
    try {
      await play(service.answer(head, body, record), stage);
    } catch (error) {
      if (!gone.signal.aborted) {
        // A mistake in the simulation itself: say so loudly, a test would otherwise only see a cut stream.
        process.stderr.write(`sim: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      }
      leave();
    }
    if (current?.record === record) current = null;
  };

  socket.on("data", (bytes: Buffer) => {
    for (const part of parser.push(bytes)) {
      if (part.kind === "bad") {
        socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
        return;
      }
      if (part.kind === "head") {
        current = { head: part.head, record: service.begin(part.head) };
        if (/100-continue/i.test(part.head.headers["expect"] ?? "")) socket.write("HTTP/1.1 100 Continue\r\n\r\n");
      } else if (current !== null) {
        const { head, record } = current;
        if (record !== null) record.body = part.body;
        queue = queue.then(() => respond(head, part.body, record));
      }
    }
  });
}
