import { textOf, type Step, type Steps } from "../steps.ts";
import { inStream, type FaultTable } from "./fault.ts";

/** The same events in other legal spellings of SSE. */
export const SPELLINGS: FaultTable = {
  crlf: inStream("Lines end with CR LF.", (steps) => spelled(steps, (text) => text.replaceAll("\n", "\r\n"))),
  cr: inStream("Lines end with CR.", (steps) => spelled(steps, (text) => text.replaceAll("\n", "\r"))),
  "mixed-eol": inStream("Lines end with LF, CR and CR LF in turn.", (steps) => {
    // In this order no CR stands right before an LF of the next line end: the two would be one.
    const ends = ["\n", "\r", "\r\n"];
    let line = 0;
    return spelled(steps, (text) => text.replaceAll("\n", () => ends[line++ % ends.length] ?? "\n"));
  }),
  bom: inStream("A byte order mark before the first event.", (steps) =>
    spelled(steps, (text, number) => (number === 0 ? `\uFEFF${text}` : text)),
  ),
  "no-space": inStream("`data:` without a space.", (steps) =>
    spelled(steps, (text) => text.replace("data: ", "data:")),
  ),
  "multi-data": inStream("Each event's JSON on two `data:` lines.", (steps) =>
    spelled(steps, (text) => text.replace(",", ",\ndata: ")),
  ),
  ids: inStream("`event:`, `id:` and `retry:` lines.", (steps) =>
    spelled(steps, (text, number) => `event: message\nid: ${number}\nretry: 3000\n${text}`),
  ),
  "tiny-packets": { says: "Every byte in a packet of its own.", spoils: "stream", switches: { split: 1 } },
};

function* spelled(steps: Steps, spell: (text: string, number: number) => string): Generator<Step> {
  let number = 0;
  for (const step of steps) {
    const text = textOf(step);
    if (text === undefined) yield step;
    else {
      yield { do: "write", bytes: spell(text, number), frames: 1 };
      number += 1;
    }
  }
}
