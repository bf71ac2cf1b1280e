import { describe, expect, test } from "vitest";
import { startPump } from "../../support/pump.ts";

describe("while the origin is silent", () => {
  test("a keep-alive is written when the hold ends and then every five seconds", async () => {
    const { clock, client } = await startPump({ head: false });
    const times: number[] = [];
    for (let second = 1; second <= 20; second += 1) {
      const before = client.writes.length;
      await clock.advance(1_000);
      if (client.writes.length > before) times.push(second);
    }
    expect(times).toEqual([2, 7, 12, 17]);
    expect(client.text).toBe("~\n~\n~\n~\n");
  });

  test("a keep-alive is written five seconds after the last bytes", async () => {
    const { clock, origin, client } = await startPump();
    await origin.says("a\n");
    await clock.advance(3_000);
    await origin.says("b\n");
    await clock.advance(4_999);
    expect(client.text).toBe("a\nb\n");
    await clock.advance(1);
    expect(client.text).toBe("a\nb\n~\n");
  });

  test.for([
    { name: "comments", line: ": comment\n" },
    { name: "frames that bring nothing", line: "quiet\n" },
    { name: "the bytes of a frame that does not end", line: "x" },
  ])("$name of the origin's do not put ours off", async ({ line }) => {
    const { clock, origin, client } = await startPump();
    await origin.says("a\n");
    for (let second = 1; second <= 10; second += 1) {
      await origin.says(line);
      await clock.advance(1_000);
    }
    expect(client.text).toBe("a\n~\n~\n");
  });

  test("none is written with keepAliveMs 0, save the one that ends the hold", async () => {
    const { clock, client } = await startPump({ head: false, limits: { keepAliveMs: 0 } });
    await clock.advance(59_000);
    expect(client.text).toBe("~\n");
  });
});

describe("no keep-alive is written", () => {
  test("while bytes flow", async () => {
    const { clock, origin, client } = await startPump();
    for (let second = 0; second < 20; second += 1) {
      await origin.says("a\n");
      await clock.advance(1_000);
    }
    expect(client.text).toBe("a\n".repeat(20));
  });

  test("inside a frame: each write is whole frames, however the origin's come", async () => {
    const { clock, origin, client } = await startPump();
    await origin.says("first\nsec");
    await clock.advance(6_000);
    await origin.says("ond\nth");
    await clock.advance(6_000);
    await origin.says("ird\n");
    expect(client.writes).toEqual(["first\n", "~\n", "second\n", "~\n", "third\n"]);
  });

  test("behind bytes that a slow client has not taken", async () => {
    const { clock, origin, client } = await startPump({ reading: false });
    await origin.says("a\n");
    await clock.advance(60_000);
    client.readsOn();
    await clock.advance(0);
    expect(client.text).toBe("a\n");
  });

  test("after the end, while the origin's connection is drained", async () => {
    const { clock, origin, client, outcome } = await startPump({ limits: { keepAliveMs: 100 } });
    await origin.says("a\nfinish\ndone\n");
    expect(outcome.ending).toEqual({ kind: "finished" });
    await clock.advance(5_000);
    expect(client.text).toBe("a\nfinish\ndone\n");
  });

  test("between the last bytes and the end of the body", async () => {
    const { clock, origin, client } = await startPump({ reading: false });
    await origin.says("a\n");
    await client.reads();
    await origin.says("finish\ndone\n");
    await clock.advance(20_000);
    client.readsOn();
    await clock.advance(20_000);
    expect(client.text).toBe("a\nfinish\ndone\n");
    expect(client.body).toBe("ended");
  });
});

test("at most one keep-alive waits for a client that does not read", async () => {
  const { clock, client } = await startPump({ head: false, reading: false });
  await clock.advance(50_000);
  client.readsOn();
  await clock.advance(0);
  expect(client.text).toBe("~\n");
});

test("keep-alives go on once a slow client has caught up", async () => {
  const { clock, client } = await startPump({ head: false, reading: false });
  await clock.advance(20_000);
  client.readsOn();
  await clock.advance(4_999);
  expect(client.text).toBe("~\n");
  await clock.advance(1);
  expect(client.text).toBe("~\n~\n");
});
