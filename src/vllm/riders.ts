import { GatewayError } from "../core/errors.ts";
import type { JsonObject } from "../core/json/object.ts";
import type { Chunk } from "./chunk.ts";
import type { Envelope } from "./envelope.ts";

/** Fields that belong to the chunk that they came with. */
const OWN_FIELDS = new Set(["id", "request_id", "object", "created", "model", "choices", "usage"]);

/** How much text of one stream waits for its place, in all its choices together; an origin decides how much it mixes up. */
export class Waiting {
  readonly #most: number;
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get tooMuch(): boolean {
    return this.#length > this.#most;
  }

  add(length: number): void {
    this.#length += length;
  }

  remove(length: number): void {
    this.#length -= length;
  }
}

interface Rider {
  readonly value: unknown;
  readonly text: string;
}

/** Top-level fields of chunks that are not sent themselves: the next chunk that is sent takes them along. */
export class Riders {
  readonly #waiting: Waiting;
  /** Several values of one field wait in turn, since a chunk can hold only one. */
  readonly #fields = new Map<string, Rider[]>();

  constructor(waiting: Waiting) {
    this.#waiting = waiting;
  }

  get waiting(): boolean {
    return this.#fields.size > 0;
  }

  /** Keeps what `json` says beside its choices and its usage; a `null` says nothing. */
  keep(json: JsonObject): void {
    for (const key in json) {
      const value = json[key];
      if (value === null || value === undefined || OWN_FIELDS.has(key)) continue;
      const text = JSON.stringify(value);
      const riders = this.#fields.get(key);
      if (riders?.at(-1)?.text === text) continue;
      if (riders) riders.push({ value, text });
      else this.#fields.set(key, [{ value, text }]);
      this.#waiting.add(key.length + text.length);
    }
  }

  /** Gives each choice a chunk of its own. Fields at the top go with the first, the fingerprint with the last, usage with all. */
  spread(
    top: JsonObject,
    outputs: readonly (JsonObject | GatewayError)[],
    envelope: Envelope,
  ): (Chunk | GatewayError)[] {
    const last = outputs.findLastIndex((output) => !(output instanceof GatewayError));
    if (last < 0) this.keep(top);
    const { choices: _spread, usage, system_fingerprint: fingerprint, ...first } = top;
    return outputs.map((output, at): Chunk | GatewayError => {
      if (output instanceof GatewayError) return output;
      const fields: Record<string, unknown> = { choices: [output] };
      if (at === 0) Object.assign(fields, this.#next(top), first);
      if (usage !== undefined) fields["usage"] = usage;
      if (at === last && fingerprint !== undefined) fields["system_fingerprint"] = fingerprint;
      return { json: envelope.make(fields), bytes: undefined };
    });
  }

  /** Returns for each field the value whose turn it is; where `beside` has another value itself, it has to wait on. */
  #next(beside: JsonObject): JsonObject {
    const fields: Record<string, unknown> = {};
    for (const [key, riders] of this.#fields) {
      const [rider] = riders;
      if (!rider || (key in beside && beside[key] !== rider.value)) continue;
      riders.shift();
      fields[key] = rider.value;
      this.#waiting.remove(key.length + rider.text.length);
      if (riders.length === 0) this.#fields.delete(key);
    }
    return fields;
  }

  /** Returns the newest value of each field that waits, for the last chunk; nothing waits any more. */
  take(): JsonObject | undefined {
    if (!this.waiting) return undefined;
    const fields: Record<string, unknown> = {};
    for (const [key, riders] of this.#fields) {
      fields[key] = riders.at(-1)?.value;
      for (const { text } of riders) this.#waiting.remove(key.length + text.length);
    }
    this.#fields.clear();
    return fields;
  }
}

/** More than may wait, all put together. */
export function tooMuch(): GatewayError {
  return new GatewayError("origin_protocol", "The origin sent more out of its place than can be kept.");
}
