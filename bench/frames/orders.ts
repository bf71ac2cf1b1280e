/** What a request wants of the origin, written into its model's name: `bench/chat?steps=197&pace=20`. */

export interface Orders {
  /** A scenario's name. */
  readonly scenario: string;
  /** Steps between the first and the last. */
  readonly steps: number;
  /** Milliseconds from one step to the next; 0 is as fast as the connection takes them. */
  readonly pace: number;
  /** Where the origin falls silent for good: before its head, before its first frame, or after its steps. */
  readonly hush?: Hush;
  /** Under which name the origin remembers what happened to this request. */
  readonly tag?: string;
  /** The length of a whole answer. */
  readonly bytes?: number;
}

export type Hush = "head" | "frame" | "middle";
const HUSHES: readonly string[] = ["head", "frame", "middle"] satisfies readonly Hush[];

export function toModel({ scenario, ...orders }: Orders): string {
  const query = Object.entries(orders).map(([name, value]) => `${name}=${value}`);
  return `bench/${scenario}?${query.join("&")}`;
}

/** The orders in a model's name, or undefined where it is none of ours. */
export function fromModel(model: string): Orders | undefined {
  const [, scenario, query = ""] = /^bench\/([^?]+)\?(.*)$/.exec(model) ?? [];
  if (scenario === undefined) return undefined;
  const values = new Map(query.split("&").map((pair) => [pair.split("=")[0] ?? "", pair.split("=")[1] ?? ""]));
  const hush = values.get("hush");
  const tag = values.get("tag");
  const bytes = values.get("bytes");
  return {
    scenario,
    steps: Number(values.get("steps") ?? 0),
    pace: Number(values.get("pace") ?? 0),
    ...(isHush(hush) && { hush }),
    ...(tag !== undefined && { tag }),
    ...(bytes !== undefined && { bytes: Number(bytes) }),
  };
}

function isHush(text: string | undefined): text is Hush {
  return text !== undefined && HUSHES.includes(text);
}
