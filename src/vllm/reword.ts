import type { GatewayError } from "../core/errors.ts";

/** What a model is called on either side; `undefined` where nobody named one. */
export interface Names {
  readonly client: string | undefined;
  readonly origin: string | undefined;
}

/** A model's name is the client's text: a longer one is cut. */
const MAX_NAME_LENGTH = 200;

/** Returns `error` in words that know the model by the client's name alone: what an alias stands for is nobody's business. */
export function reword(error: GatewayError, { client, origin }: Names): GatewayError {
  if (client === undefined) return error;
  if (error.code === "model_not_found") return error.reworded(modelNotFound(client));
  if (origin === undefined || origin === client) return error;
  // Only where it stands as a name of its own: `chat` may be one, and is part of many words.
  const named = new RegExp(`(?<![\\w./-])${RegExp.escape(origin)}(?![\\w/-]|\\.\\w)`, "g");
  return error.reworded(error.message.replace(named, () => client));
}

/** Returns the sentence for a model that is not there. */
export function modelNotFound(name: string): string {
  return `The model \`${name.slice(0, MAX_NAME_LENGTH)}\` does not exist.`;
}
