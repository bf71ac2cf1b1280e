import { hash } from "./pieces.ts";

/** Paragraphs of several themes, each with characters of more than one byte, so that UTF-8 matters everywhere. */
const PARAGRAPHS: readonly string[] = [
  "A sluice is a gate in a channel: raise it a little and the water below finds its own pace. Millers along the Isère learned early that the trick is not to hold the river back — it is to let it through evenly. A good gate is felt, not seen; the wheel turns, the flour falls, and nobody in the village thinks of water at all.",
  "The café on the corner opens at six, before the bakers have gone home. By seven the windows are fogged and somebody has written 天気 on the glass with a finger, twice, because the first attempt ran. The owner says she reads the weather there: if the letters last until noon, the afternoon stays dry ☔.",
  "Lighthouses are older than the lamps inside them. Long before lenses, a keeper carried wood up the stairs and fed a fire until morning; ships counted the pauses between flares to know which coast they had reached. A signal that never changes says only that somebody is awake — and on a bad night that is enough.",
  "Bees agree on a new home by argument. A scout that found a hollow tree dances for it, and the better the tree, the longer she dances; others go, look, and join in or stay silent. After a few hours one dance remains, and twenty thousand naïve voters leave at once. No queen gives the order 🐝.",
  "When the night train crosses the border, the conductor turns his watch by one hour and says nothing. Passengers wake in a country whose signs they cannot read — Łódź, Győr, Žilina — and yet the tea arrives in the same glass, with the same spoon, and a slice of lemon cut a little too thick.",
  "Glaciers keep a diary. Each winter lays down a band of bubbles, each summer a thin line of dust, and a core two kilometres long can be read like a ledger: here a volcano, there a drought, there the year in which lead from Roman mines drifted north. The ink is air — 空気 — and it has waited for somebody to open the book.",
];

const THOUGHTS: readonly string[] = [
  "The question is short, so the answer should be plain. I will describe one thing well… and stop.",
  "First I look for what is really asked, then for an example — something with water or light in it ☕.",
  "Two ways to answer: a definition or a small story. The story is easier to remember, naïve or not.",
];

/**
 * A readable answer, always the same for the same prompt and choice.
 *
 * @param words how many words at most; without it the paragraph as it is. More words than the paragraph has: it
 *   goes on with the next one.
 */
export function proseFor(prompt: string, choice: number, words?: number): string {
  const first = hash(prompt) + choice;
  const paragraph = (number: number): string => PARAGRAPHS[(first + number) % PARAGRAPHS.length] ?? "";
  if (words === undefined) return paragraph(0);
  const said: string[] = [];
  for (let number = 0; said.length < words; number += 1) said.push(...paragraph(number).split(" "));
  return said.slice(0, words).join(" ");
}

/** What the model thinks before it answers. */
export function thoughtFor(prompt: string): string {
  return THOUGHTS[hash(prompt) % THOUGHTS.length] ?? "";
}
