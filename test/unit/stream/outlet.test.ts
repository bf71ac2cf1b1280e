import { describe, expect, test } from "vitest";
import { Outlet } from "../../../src/stream/outlet.ts";
import { flush } from "../../support/clock.ts";
import { identityStream } from "../../support/identity.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array | undefined) => new TextDecoder().decode(value);

function start() {
  const { readable, writable } = identityStream();
  const reader = readable.getReader();
  return { outlet: new Outlet(writable), reader, read: async () => text((await reader.read()).value) };
}

/** Returns what `promise` has come to by now. */
async function stateOf(promise: Promise<unknown>): Promise<"pending" | "fulfilled" | "rejected"> {
  let state: "pending" | "fulfilled" | "rejected" = "pending";
  promise.then(
    () => (state = "fulfilled"),
    () => (state = "rejected"),
  );
  await flush();
  return state;
}

describe("while held", () => {
  test("bytes are kept, nobody waits for them, and opening gives them back", async () => {
    const { outlet, reader } = start();
    const read = reader.read();
    expect(outlet.held).toBe(true);
    await outlet.send([bytes("a"), bytes("b")]);
    await outlet.send([bytes("c")]);
    expect(outlet.busy).toBe(false);
    expect(await stateOf(read)).toBe("pending");
    expect(outlet.open().map(text)).toEqual(["a", "b", "c"]);
    expect(outlet.held).toBe(false);
    expect(await stateOf(read)).toBe("pending");
  });

  test("an abort loses them and breaks the body", async () => {
    const { outlet, reader } = start();
    await outlet.send([bytes("a")]);
    outlet.abort();
    expect(outlet.held).toBe(false);
    expect(outlet.open()).toEqual([]);
    await expect(reader.read()).rejects.toThrow("broken off");
  });
});

describe("while flowing", () => {
  test("opening again gives nothing", async () => {
    const { outlet } = start();
    await outlet.send([bytes("a")]);
    outlet.open();
    expect(outlet.open()).toEqual([]);
  });

  test("the pieces of one send arrive as one write", async () => {
    const { outlet, read } = start();
    outlet.open();
    const sent = outlet.send([bytes("a"), bytes("天"), bytes(""), bytes("b")]);
    expect(await read()).toBe("a天b");
    await sent;
  });

  test("a single piece is not copied", async () => {
    const { outlet, reader } = start();
    outlet.open();
    const piece = bytes("a");
    const sent = outlet.send([piece]);
    expect((await reader.read()).value).toBe(piece);
    await sent;
  });

  test("a send resolves when the client has taken its bytes, and until then the outlet is busy", async () => {
    const { outlet, read } = start();
    outlet.open();
    const first = outlet.send([bytes("a")]);
    const second = outlet.send([bytes("b")]);
    expect(outlet.busy).toBe(true);
    expect(await stateOf(first)).toBe("pending");
    expect(await read()).toBe("a");
    expect(await stateOf(first)).toBe("fulfilled");
    expect(await stateOf(second)).toBe("pending");
    expect(outlet.busy).toBe(true);
    expect(await read()).toBe("b");
    await second;
    expect(outlet.busy).toBe(false);
  });

  test("a send of nothing writes nothing", async () => {
    const { outlet, reader } = start();
    outlet.open();
    const read = reader.read();
    await outlet.send([]);
    expect(outlet.busy).toBe(false);
    expect(await stateOf(read)).toBe("pending");
  });

  test("a send is rejected when the client has left, and the outlet is no longer busy", async () => {
    const { outlet, reader } = start();
    outlet.open();
    const waiting = outlet.send([bytes("a")]);
    waiting.catch(() => {});
    await reader.cancel();
    expect(await stateOf(waiting)).toBe("rejected");
    expect(await stateOf(outlet.send([bytes("b")]))).toBe("rejected");
    expect(outlet.busy).toBe(false);
  });

  test("an abort rejects what waits", async () => {
    const { outlet, reader } = start();
    outlet.open();
    const waiting = outlet.send([bytes("a")]);
    outlet.abort();
    expect(await stateOf(waiting)).toBe("rejected");
    await expect(reader.read()).rejects.toThrow("broken off");
  });
});

describe("once closed", () => {
  test("the client has read all bytes and then the end", async () => {
    const { outlet, reader, read } = start();
    outlet.open();
    const sent = outlet.send([bytes("a")]);
    const closed = outlet.close();
    expect(await read()).toBe("a");
    expect(await reader.read()).toEqual({ done: true, value: undefined });
    await Promise.all([sent, closed]);
  });

  test("sends and a second close do nothing", async () => {
    const { outlet, reader } = start();
    outlet.open();
    await outlet.close();
    await outlet.send([bytes("a")]);
    await outlet.close();
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  test("an abort does not take the end back", async () => {
    const { outlet, reader } = start();
    outlet.open();
    await outlet.close();
    outlet.abort();
    outlet.abort();
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  test("close is rejected when the client has left", async () => {
    const { outlet, reader } = start();
    outlet.open();
    await reader.cancel();
    await expect(outlet.close()).rejects.toThrow();
  });
});
