/** What of wrangler dev's output is worth a line in the terminal. */
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { stripVTControlCharacters, styleText } from "node:util";

/** Enough to see why it ended. */
const LAST_LINES = 30;

/** Wrangler's own account of requests and reloads. */
const NOISE = /^\[wrangler:info\]|^⎔|^❓|^\s*$/;

export interface Relay {
  /** From now on the Worker's log is shown; before, only what goes wrong is. */
  open(): void;
  /** From now on nothing is shown: what is ended on purpose has nothing to complain of. */
  close(): void;
  /** What was said last and not shown, for when it turns out to matter. */
  last(): string;
}

/** Shows the output of `child`, less its noise, as far as the relay is open. */
export function relay(child: ChildProcess): Relay {
  const unseen: string[] = [];
  let state: "starting" | "open" | "closed" = "starting";
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const plain = stripVTControlCharacters(line);
      if (state === "open" && !NOISE.test(plain)) console.log(plain.startsWith("{") ? styleText("dim", plain) : plain);
      else if (plain.trim() !== "") unseen.push(`  ${plain}`);
      if (unseen.length > LAST_LINES) unseen.shift();
    });
  }
  if (child.stderr) {
    // Shown while starting too: a Worker that does not build keeps wrangler waiting for a better one.
    createInterface({ input: child.stderr }).on("line", (line) => {
      const plain = stripVTControlCharacters(line);
      if (state !== "closed" && plain.trim() !== "") console.error(plain);
    });
  }
  return {
    open() {
      state = "open";
      unseen.length = 0;
    },
    close: () => void (state = "closed"),
    last: () => unseen.join("\n"),
  };
}
