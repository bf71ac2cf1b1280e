import type { JsonObject } from "../core/json/object.ts";

export interface EnvelopeParts {
  /** The kind of object, such as `chat.completion.chunk`. */
  readonly object: string;
  /** The id that stands in where the origin gives none. */
  readonly id: string;
  /** The client's own name of the model; `undefined` when it named none and the origin's is taken. */
  readonly model: string | undefined;
  /** Seconds since 1970, where the origin gives no time. */
  readonly created: number;
}

interface Fields {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
}

/**
 * What every chunk of a stream has in common: one id, one `created`, one model and one `object`. The origin's first
 * chunk decides the first two.
 */
export class Envelope {
  readonly #parts: EnvelopeParts;
  #fields: Fields | undefined;

  constructor(parts: EnvelopeParts) {
    this.#parts = parts;
  }

  /** Returns `json` itself when it wears the stream's envelope, else a copy that does. */
  stamp(json: JsonObject): JsonObject {
    const fields = (this.#fields ??= this.#decide(json));
    const same =
      json["id"] === fields.id &&
      json["created"] === fields.created &&
      json["model"] === fields.model &&
      json["object"] === fields.object;
    return same ? json : { ...json, ...fields };
  }

  /** Returns a chunk of our own making. */
  make(fields: JsonObject): JsonObject {
    return { ...(this.#fields ??= this.#decide({})), ...fields };
  }

  #decide({ id, created, model }: JsonObject): Fields {
    return {
      id: typeof id === "string" && id !== "" ? id : this.#parts.id,
      object: this.#parts.object,
      created: typeof created === "number" ? created : this.#parts.created,
      model: this.#parts.model ?? (typeof model === "string" ? model : ""),
    };
  }
}
