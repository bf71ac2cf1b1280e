/** A slow client must be able to take a write in good time, however much has come for it at once. */
import { expect, test } from "vitest";
import { Outlet } from "../../../src/stream/outlet.ts";

function collect(): { writes: Uint8Array[]; outlet: Outlet } {
  const writes: Uint8Array[] = [];
  const outlet = new Outlet(new WritableStream({ write: (chunk) => void writes.push(chunk) }));
  outlet.open();
  return { writes, outlet };
}

test("what is larger than 64 KiB goes out in several writes, in order, and each but the last is told", async () => {
  const { writes, outlet } = collect();
  let taken = 0;
  const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251);
  await outlet.send([bytes.subarray(0, 10), bytes.subarray(10)], () => (taken += 1));
  expect(writes.map((write) => write.length)).toEqual([65_536, 65_536, 65_536, 3_392]);
  expect(Buffer.concat(writes).equals(bytes)).toBe(true);
  expect(taken).toBe(3);
});

test("what is sent meanwhile does not come between the parts", async () => {
  const { writes, outlet } = collect();
  const large = outlet.send([new Uint8Array(100_000).fill(1)], () => {});
  const small = outlet.send([new Uint8Array([2])], () => {});
  await Promise.all([large, small]);
  expect(writes.map((write) => write[0])).toEqual([1, 1, 2]);
});

test("a client that leaves in the middle is told once, and no part of the write fails unheard", async () => {
  const outlet = new Outlet(new WritableStream({ write: () => Promise.reject(new Error("gone")) }));
  outlet.open();
  await expect(outlet.send([new Uint8Array(200_000)])).rejects.toThrow("gone");
  expect(outlet.busy).toBe(false);
  // An unheard rejection would fail the run once the queue of tasks turns.
  await new Promise((resolve) => setTimeout(resolve, 0));
});
