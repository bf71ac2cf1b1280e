import type { JsonObject } from "../core/json/object.ts";

/** Fields that belong to the chunk that they came with. */
const OWN_FIELDS = new Set(["id", "request_id", "object", "created", "model", "choices", "usage"]);

/** Top-level fields of chunks that are not sent themselves: the next chunk that is sent takes them along. */
export class Riders {
  #fields: Record<string, unknown> | undefined;

  get waiting(): boolean {
    return this.#fields !== undefined;
  }

  /** Keeps what `json` says beside its choices and its usage; a `null` says nothing. */
  keep(json: JsonObject): void {
    for (const key in json) {
      const value = json[key];
      if (value === null || value === undefined || OWN_FIELDS.has(key)) continue;
      this.#fields ??= {};
      this.#fields[key] = value;
    }
  }

  /** Returns what waits, which then waits no more. */
  take(): JsonObject | undefined {
    const fields = this.#fields;
    this.#fields = undefined;
    return fields;
  }
}
