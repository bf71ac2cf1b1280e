import { expect, test } from "vitest";
import { ByteReader } from "../../../src/core/byte-reader.ts";

/** A body as the network's are: it fills whatever buffer it is asked to, as far as bytes wait. */
function networkBody(length: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    type: "bytes",
    autoAllocateChunkSize: 4_096,
    pull(controller) {
      const view = controller.byobRequest?.view;
      if (!view) throw new Error("no buffer was given");
      const bytes = new Uint8Array(view.buffer, view.byteOffset, Math.min(view.byteLength, length - sent));
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = (sent + at) % 251;
      sent += bytes.length;
      if (bytes.length === 0) controller.close();
      controller.byobRequest?.respond(bytes.length);
    },
  });
}

async function piecesOf(reader: ByteReader): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read(pieces.at(-1)?.length ?? 0);
    if (done) return pieces;
    pieces.push(value);
  }
}

test("small pieces at first, large ones while they come full, and small ones again", async () => {
  const reader = new ByteReader(networkBody(4_096 + 65_536 + 10));
  const pieces = await piecesOf(reader);
  expect(pieces.map(({ length }) => length)).toEqual([4_096, 65_536, 10]);
});

test("all bytes come in order, and each piece keeps what it was", async () => {
  const pieces = await piecesOf(new ByteReader(networkBody(150_000)));
  const all = pieces.flatMap((piece) => [...piece]);
  expect(all).toHaveLength(150_000);
  expect(all.findIndex((byte, at) => byte !== at % 251)).toBe(-1);
});

test("a stream that somebody made of pieces is read as it is", async () => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array([1, 2]));
      controller.enqueue(new Uint8Array(10_000));
      controller.close();
    },
  });
  const pieces = await piecesOf(new ByteReader(body));
  expect(pieces.map(({ length }) => length)).toEqual([2, 10_000]);
});

test("a read that waits ends when the body is let go, and the body hears of it", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({ type: "bytes", cancel: () => void (cancelled = true) });
  const reader = new ByteReader(body);
  const waiting = reader.read(0);
  await reader.cancel();
  expect(await waiting).toMatchObject({ done: true });
  expect(cancelled).toBe(true);
});

test("a body that breaks rejects", async () => {
  const body = new ReadableStream<Uint8Array>({
    type: "bytes",
    pull: (controller) => controller.error(new Error("broken")),
  });
  await expect(new ByteReader(body).read(0)).rejects.toThrow("broken");
});
