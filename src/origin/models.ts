/** The models that the origins serve, as clients name them. */
import type { Config, Origin } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import { isObject, parseObject, type JsonObject } from "../core/json/object.ts";
import { readText } from "../core/read-text.ts";
import { look } from "./look.ts";
import type { Fetch } from "../core/fetch.ts";

/** How old an origin's list may be before it is asked again. */
const FRESH_MS = 10_000;
/** How long a list is still good when its origin gives no other: after that it is gone. */
const KEPT_MS = 60_000;
/** How long an origin that gave no list is left alone. */
const VAIN_MS = 1_000;
/** Clients give a models list three seconds. */
const TIMEOUT_MS = 2_000;
const MAX_BYTES = 1_048_576;
/** The last second that a date can hold. */
const MAX_SECONDS = 8_640_000_000_000;

export interface ModelCard {
  /** As clients name it. */
  readonly id: string;
  /** Seconds since 1970; 0 when the origin does not tell. */
  readonly created: number;
  /** The most tokens of prompt and answer together; `undefined` when the origin does not tell. */
  readonly maxModelLen: number | undefined;
}

/** What is kept of each origin's list, in this isolate's memory. */
export class ModelLists {
  readonly #fetch: Fetch;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { readonly cards: readonly ModelCard[]; readonly at: number }>();
  /** When an origin was last asked in vain: it is not asked again at once, since each time may cost the full wait. */
  readonly #vain = new Map<string, number>();

  constructor(fetch: Fetch, clock: Clock) {
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /**
   * Returns the models of all origins, each once, an origin's own `models` setting applied and aliases added; or
   * `undefined` when no origin has given a list within the last minute.
   */
  async merged(config: Config): Promise<readonly ModelCard[] | undefined> {
    const lists = await this.#lists(config);
    return lists.every((list) => list === undefined) ? undefined : this.#merge(lists, config);
  }

  /**
   * Returns all models that are served, by name; or `undefined` while any origin's list is missing, since a model that is
   * not among the others may be its.
   */
  async served(config: Config): Promise<ReadonlyMap<string, ModelCard> | undefined> {
    const lists = await this.#lists(config);
    if (lists.includes(undefined)) return undefined;
    return new Map(this.#merge(lists, config).map((card) => [card.id, card]));
  }

  /** Each address is asked once, although several origins may share it with other models each. */
  #lists({ origins, originHeaders }: Config): Promise<(readonly ModelCard[] | undefined)[]> {
    const asked = new Map<string, Promise<readonly ModelCard[] | undefined>>();
    return Promise.all(
      origins.map(async (origin) => {
        const cards = asked.get(origin.url) ?? this.#cardsOf(origin, originHeaders);
        asked.set(origin.url, cards);
        return (await cards)?.filter(({ id }) => origin.models?.includes(id) ?? true);
      }),
    );
  }

  #merge(lists: readonly (readonly ModelCard[] | undefined)[], config: Config): readonly ModelCard[] {
    const byId = new Map<string, ModelCard>();
    for (const card of lists.flatMap((list) => list ?? [])) if (!byId.has(card.id)) byId.set(card.id, card);
    const own = new Map(byId);
    for (const [alias, { model }] of config.aliases) {
      const card = own.get(model);
      if (card) byId.set(alias, { ...card, id: alias });
    }
    return [...byId.values()];
  }

  async #cardsOf(origin: Origin, headers: Readonly<Record<string, string>>): Promise<readonly ModelCard[] | undefined> {
    const cards = this.#keptCards(origin, FRESH_MS) ?? (await this.#askAgain(origin, headers));
    // Asking takes time too, in which a list may have grown too old.
    return cards ?? this.#keptCards(origin, KEPT_MS);
  }

  #keptCards({ url }: Origin, maxAgeMs: number): readonly ModelCard[] | undefined {
    const kept = this.#kept.get(url);
    return kept && this.#clock.now() - kept.at < maxAgeMs ? kept.cards : undefined;
  }

  async #askAgain(
    origin: Origin,
    headers: Readonly<Record<string, string>>,
  ): Promise<readonly ModelCard[] | undefined> {
    const vain = this.#vain.get(origin.url);
    if (vain !== undefined && this.#clock.now() - vain < VAIN_MS) return undefined;
    // While one request asks, the others make do with what is kept.
    this.#vain.set(origin.url, this.#clock.now());
    const cards = await this.#ask(origin, headers);
    if (cards) this.#vain.delete(origin.url);
    else this.#vain.set(origin.url, this.#clock.now());
    return cards;
  }

  /** Returns the origin's list; `undefined` when it gives none in time. Never throws. */
  async #ask(origin: Origin, headers: Readonly<Record<string, string>>): Promise<readonly ModelCard[] | undefined> {
    const parts = { fetch: origin.fetch ?? this.#fetch, clock: this.#clock, headers, withinMs: TIMEOUT_MS };
    const cards = await look(`${origin.url}/v1/models`, parts, readCards);
    if (cards) this.#kept.set(origin.url, { cards, at: this.#clock.now() });
    return cards;
  }
}

async function readCards(response: Response): Promise<readonly ModelCard[] | undefined> {
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    return undefined;
  }
  const list = parseObject(await readText(response.body, { maxBytes: MAX_BYTES }))?.["data"];
  if (!Array.isArray(list)) return undefined;
  return list
    .filter((card) => isObject(card))
    .map(readCard)
    .filter(({ id }) => id !== "");
}

/** Of the origin's card only what a client may see: its root is a path on the origin's disk. */
function readCard({ id, created, max_model_len: length }: JsonObject): ModelCard {
  return {
    id: typeof id === "string" ? id : "",
    created: isCount(created, MAX_SECONDS) ? created : 0,
    maxModelLen: isCount(length, Number.MAX_SAFE_INTEGER) ? length : undefined,
  };
}

function isCount(value: unknown, max: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max;
}
