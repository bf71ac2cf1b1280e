import { describe, expect, test } from "vitest";
import { startPump, type Stream } from "../../support/pump.ts";

const leftWhile = (stage: string) => ({ kind: "client_left", stage });

function expectFreed({ clock, outcome, freed }: Stream) {
  expect(freed()).toBeGreaterThan(0);
  expect(outcome.settled).toBe(true);
  expect(clock.pending).toBe(0);
}

describe("a client that takes no bytes", () => {
  test("is given up after the stall timeout", async () => {
    const stream = await startPump({ reading: false });
    await stream.origin.says("a\n");
    await stream.clock.advance(99_999);
    expect(stream.outcome.ending).toBe("pending");
    await stream.clock.advance(1);
    expect(stream.outcome.ending).toEqual(leftWhile("streaming"));
    expect(stream.origin.cancelled).toBe(true);
    expectFreed(stream);
  });

  test("is given up no later because an event joins the keep-alive that waits", async () => {
    const stream = await startPump({ reading: false });
    await stream.clock.advance(2_000);
    await stream.clock.advance(50_000);
    await stream.origin.says("a\n");
    await stream.clock.advance(49_999);
    expect(stream.outcome.ending).toBe("pending");
    await stream.clock.advance(1);
    expect(stream.outcome.ending).toEqual(leftWhile("streaming"));
    expectFreed(stream);
  });

  test("is not given up while it takes some, however slowly", async () => {
    const { clock, origin, client, outcome } = await startPump({ reading: false });
    await clock.advance(2_000);
    await origin.says("a\n");
    for (const line of ["b\n", "c\n", "d\n"]) await origin.says(line);
    for (let count = 0; count < 5; count += 1) {
      await clock.advance(99_999);
      expect(outcome.ending).toBe("pending");
      await client.reads();
    }
    expect(client.text).toBe("~\na\nb\nc\nd\n");
  });

  test("is given up with the last bytes too", async () => {
    const stream = await startPump({ reading: false });
    await stream.origin.says("a\nfinish\ndone\n");
    await stream.clock.advance(100_000);
    expect(stream.outcome.ending).toEqual(leftWhile("ending"));
    expectFreed(stream);
  });

  test("is given up with the bytes of a failure too, which stays the ending", async () => {
    const stream = await startPump({ reading: false });
    await stream.origin.says("a\n");
    await stream.client.reads();
    await stream.origin.says("error\n");
    await stream.clock.advance(99_999);
    expect(stream.outcome.settled).toBe(false);
    await stream.clock.advance(1);
    expect(stream.outcome.ending).toMatchObject({ kind: "failed", error: { code: "origin_error" } });
    expectFreed(stream);
  });
});
