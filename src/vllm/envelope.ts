import type { JsonObject } from "../core/json/object.ts";

/**
 * What every chunk of a stream has in common, such as one id and one model. The origin's first chunk may decide it; what
 * it lacks, `decide` fills in.
 */
export class Envelope {
  readonly #decide: (first: JsonObject) => JsonObject;
  readonly #optional: readonly string[];
  #fields: JsonObject | undefined;

  /** Fields named in `optional` belong to the envelope when the first chunk has them, and to no chunk when it has not. */
  constructor(decide: (first: JsonObject) => JsonObject, optional: readonly string[] = []) {
    this.#decide = decide;
    this.#optional = optional;
  }

  /** Returns `json` itself when it wears the stream's envelope, else a copy that does. */
  stamp(json: JsonObject): JsonObject {
    const fields = (this.#fields ??= this.#decide(json));
    let stamped = json;
    for (const key in fields) if (json[key] !== fields[key]) stamped = { ...json, ...fields };
    for (const key of this.#optional) {
      if (key in json && !(key in fields)) stamped = { ...stamped, [key]: undefined };
    }
    return stamped;
  }

  /** Returns a chunk of our own making. */
  make(fields: JsonObject): JsonObject {
    return { ...(this.#fields ??= this.#decide({})), ...fields };
  }
}

export interface OpenAIEnvelope {
  /** The kind of object, such as `chat.completion.chunk`. */
  readonly object: string;
  /** The id that stands in where the origin gives none. */
  readonly id: string;
  /** The client's own name of the model; `undefined` when it named none and the origin's is taken. */
  readonly model: string | undefined;
  /** Seconds since 1970, where the origin gives no time. */
  readonly created: number;
}

/** Returns the envelope of chat and completions: one id, one `created`, the client's own name of the model. */
export function openAIEnvelope({ object, id, model, created }: OpenAIEnvelope): Envelope {
  return new Envelope((first) => ({
    id: typeof first["id"] === "string" && first["id"] !== "" ? first["id"] : id,
    object,
    created: typeof first["created"] === "number" ? first["created"] : created,
    model: model ?? (typeof first["model"] === "string" ? first["model"] : ""),
  }));
}
