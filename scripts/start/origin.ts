/** What a real origin says of itself, for the greeting: the gateway itself does not need it. */
import { at, parseJson, textAt } from "./json.ts";

const ANSWER_WITHIN_MS = 3_000;

type Settings = Readonly<Record<string, string>>;

/** Returns the addresses in `ORIGINS`; none when they cannot be read, which the Worker reports in its own words. */
export function originUrls(settings: Settings): string[] {
  const origins = parseJson(settings["ORIGINS"] ?? "");
  if (!Array.isArray(origins)) return [];
  return origins.map((origin: unknown) => textAt(origin, "url")).filter((url) => url !== undefined);
}

export interface Listed {
  /** The models that clients can name: the aliases, then what the first origin lists, as far as it answers. */
  readonly models: readonly string[];
  /** Whether it answers our key, or that there is none, with 401. */
  readonly refused: boolean;
}

export async function listModels(settings: Settings): Promise<Listed> {
  const aliases = parseJson(settings["MODELS"] ?? "");
  const names = typeof aliases === "object" && aliases !== null ? Object.keys(aliases) : [];
  const [url] = originUrls(settings);
  if (url === undefined) return { models: names, refused: false };
  try {
    const response = await fetch(`${url.replace(/\/+$/, "")}/v1/models`, {
      headers: originHeaders(settings),
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (response.status === 401) {
      await response.body?.cancel();
      return { models: names, refused: true };
    }
    const data = at(await response.json(), "data");
    const listed = Array.isArray(data) ? data.map((model: unknown) => textAt(model, "id")) : [];
    return { models: [...new Set([...names, ...listed.filter((id) => id !== undefined)])], refused: false };
  } catch {
    // The origin is down or lists nothing: the greeting does without.
    return { models: names, refused: false };
  }
}

function originHeaders(settings: Settings): Record<string, string> {
  const headers: Record<string, string> = {};
  if (settings["ORIGIN_API_KEY"]) headers["authorization"] = `Bearer ${settings["ORIGIN_API_KEY"]}`;
  if (settings["CF_ACCESS_CLIENT_ID"]) headers["cf-access-client-id"] = settings["CF_ACCESS_CLIENT_ID"];
  if (settings["CF_ACCESS_CLIENT_SECRET"]) headers["cf-access-client-secret"] = settings["CF_ACCESS_CLIENT_SECRET"];
  return headers;
}
