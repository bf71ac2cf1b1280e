/** All that a stream of completions or generate says, whichever frames it came in. */

interface Choice {
  readonly index: number;
  readonly text?: string | null;
  readonly token_ids?: readonly number[] | null;
  readonly logprobs?: Readonly<Record<string, unknown>> | null;
  readonly [key: string]: unknown;
}

interface Chunk {
  readonly choices: readonly Choice[];
  readonly [key: string]: unknown;
}

/** What each choice said in all, what stood at the top of the frames, with usage or without, and how the stream ended. */
export function contentOf(stream: string, usage = true): object {
  const records = stream.split("\n\n").slice(0, -1);
  const chunks: Chunk[] = records
    .filter((record) => record !== "data: [DONE]")
    .map((record) => JSON.parse(record.slice(6)));
  const top: Record<string, unknown> = {};
  const choices = new Map<number, Said>();
  for (const { choices: said, ...rest } of chunks) {
    Object.assign(top, withoutNulls(rest));
    for (const choice of said) choices.set(choice.index, joined(choices.get(choice.index) ?? {}, choice));
  }
  if (!usage) delete top["usage"];
  return { choices, top, end: records.at(-1) };
}

interface Said {
  readonly text?: string;
  readonly token_ids?: readonly number[];
  readonly [key: string]: unknown;
}

function joined(before: Said, { text, token_ids: ids, logprobs, ...rest }: Choice): Said {
  const lists = Object.entries(logprobs ?? {}).map(([key, list]) => [key, [before[key] ?? [], list].flat()]);
  return {
    ...before,
    text: (before.text ?? "") + (text ?? ""),
    token_ids: [...(before.token_ids ?? []), ...(ids ?? [])],
    ...Object.fromEntries(lists),
    ...withoutNulls(rest),
  };
}

function withoutNulls(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
