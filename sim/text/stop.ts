/** Watches the text for stop strings, holding back what may still become one. */
export interface StopWatch {
  push(text: string, over: boolean): { text: string; matched: string | null };
  /** What was held back; nothing is held after that. */
  rest(): string;
}

/**
 * As vLLM does it: the longest stop string's length less one is always held back, unless the stop string belongs to
 * the output. `keep`: the stop string is part of the text.
 */
export function createStopWatch(stops: readonly string[], keep: boolean): StopWatch {
  const holding = keep ? 0 : Math.max(0, ...stops.map((stop) => stop.length - 1));
  const longest = Math.max(0, ...stops.map((stop) => stop.length));
  let held = "";
  let before = "";
  return {
    push(text, over) {
      const seen = before + text;
      const places = stops
        .map((stop) => ({ stop, at: seen.indexOf(stop) }))
        .filter(({ at }) => at >= 0)
        .toSorted((a, b) => a.at - b.at);
      const [match] = places;
      if (match !== undefined && text !== "") {
        const end = keep ? match.at + match.stop.length : match.at;
        const out = seen.slice(before.length - held.length, Math.max(end, before.length - held.length));
        held = "";
        return { text: out, matched: match.stop };
      }
      const all = held + text;
      const cut = over ? all.length : Math.max(0, all.length - holding);
      held = all.slice(cut);
      // Enough of the past to find a stop string that began there.
      before = longest === 0 ? "" : seen.slice(-Math.max(longest, held.length));
      return { text: all.slice(0, cut), matched: null };
    },
    rest() {
      const out = held;
      held = "";
      return out;
    },
  };
}
