/** Plays one stream on a socket: a write for each frame, at its pace or as fast as the connection takes them. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { now } from "../clock.ts";
import type { Orders } from "../frames/orders.ts";
import { STREAM_HEAD, type Buffers } from "./buffers.ts";
import type { Entry } from "./ledger.ts";

/** Steps between two turns of the event loop when nothing waits: other connections want their share. */
const STEPS_PER_TURN = 16;
/** A client that takes nothing is given no more than this. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Resolves when the answer is out, or when it falls silent; rejects when the client leaves first. */
export async function play(socket: Socket, orders: Orders, buffers: Buffers, entry: Entry | undefined): Promise<void> {
  const { steps, pace, hush } = orders;
  const before = socket.bytesWritten;
  if (entry) entry.taken = () => socket.bytesWritten - socket.writableLength - before;
  const write = async (frames: readonly Buffer[]): Promise<void> => {
    if (socket.destroyed) throw new Error("the client has left");
    let takes = true;
    for (const bytes of frames) takes = socket.write(bytes) && takes;
    if (!takes) await drained(socket);
  };

  if (hush === "head") return;
  await write([STREAM_HEAD]);
  if (hush === "frame") return;
  await write(buffers.opening);
  const start = now();
  for (let step = 0; step < steps; step += 1) {
    // Each step has its time from the start, so that late ones do not make the stream longer.
    if (pace > 0) await sleep(Math.max(0, start + (step + 1) * pace - now()));
    else if (step % STEPS_PER_TURN === STEPS_PER_TURN - 1) await turn();
    await write(buffers.middle(step));
    if (socket.bytesWritten - before > MOST_BYTES) return;
  }
  if (hush === "middle") return;
  if (pace > 0) await sleep(pace);
  await write(buffers.closing);
}

async function drained(socket: Socket): Promise<void> {
  const leaving = new AbortController();
  try {
    await Promise.race([
      once(socket, "drain", { signal: leaving.signal }),
      once(socket, "close", { signal: leaving.signal }).then(() => {
        throw new Error("the client has left");
      }),
    ]);
  } finally {
    leaving.abort();
  }
}
