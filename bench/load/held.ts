/** Answers that are held open while something else is measured. */
import { Connection, type Farewell } from "./connection.ts";
import type { Exchange } from "./exchange.ts";
import { toBytes, type Post, type Target } from "./target.ts";

export interface Opening {
  readonly target: Target;
  /** One answer is opened for each. */
  readonly posts: readonly Post[];
  /** When an answer counts as open: at once, with its head, or after so many events. */
  readonly when: "sent" | "head" | number;
  /** Whether nothing is read from then on. */
  readonly stopReading?: boolean;
}

interface Held {
  readonly connection: Connection;
  readonly exchange: Exchange;
}

/** Connections are opened so many at a time, which is less than the kernel keeps waiting. */
const AT_ONCE = 50;

const held = new Map<number, Held[]>();
let last = 0;

/** Returns under which number they are held. */
export async function open({ target, posts, when, stopReading }: Opening): Promise<number> {
  const all: Held[] = [];
  last += 1;
  held.set(last, all);
  const openOne = async (post: Post, number: number): Promise<void> => {
    const connection = await Connection.open(target);
    const exchange = connection.send(toBytes(target, post), false);
    all[number] = { connection, exchange };
    if (when !== "sent") {
      const isOpen = () => (when === "head" ? exchange.hasHead : exchange.events >= when);
      await connection.until(isOpen);
      if (!isOpen() || exchange.broken !== undefined)
        throw new Error(exchange.flawOfStream(undefined) ?? "an answer did not open");
    }
    if (stopReading) connection.stopReading();
  };
  const hold = last;
  try {
    for (let from = 0; from < posts.length; from += AT_ONCE) {
      await Promise.all(posts.slice(from, from + AT_ONCE).map((post, number) => openOne(post, from + number)));
    }
  } catch (error) {
    leave({ hold, how: "RST" });
    throw error;
  }
  return hold;
}

/** Waits for the end of what is held. Returns what is wrong with it, or null. */
export async function finish({ hold, events }: { hold: number; events?: number }): Promise<string | null> {
  const all = held.get(hold) ?? [];
  await Promise.all(all.map(({ connection }) => connection.until(() => false)));
  const flaws = all.map(({ exchange }) => exchange.flawOfStream(events)).filter((flaw) => flaw !== undefined);
  leave({ hold, how: "FIN" });
  return flaws[0] ?? null;
}

/** Leaves what is held. Returns when, for each. */
export function leave({ hold, how }: { hold: number; how: Farewell }): number[] {
  const all = held.get(hold) ?? [];
  held.delete(hold);
  return all.map(({ connection }) => connection.leave(how));
}
