/** What a smoke test needs to know before it can begin. */

/** Returns `text` without a trailing slash. Throws unless it is https, or this very machine: a key will be sent there. */
export function readUrl(text: string | undefined): string {
  const url = text === undefined ? null : URL.parse(text);
  if (!url) throw new Error("npm run smoke -- URL: the address of a gateway, such as https://llm.example.com");
  const here = ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  if (url.protocol !== "https:" && !(here && url.protocol === "http:")) throw new Error(`${url.href} is not https.`);
  return url.href.replace(/\/+$/, "");
}

/** Returns the first model that is open to the key. Throws when there is none. */
export async function firstModel(url: string, key: string | undefined): Promise<string> {
  const headers = key ? { authorization: `Bearer ${key}` } : undefined;
  const response = await fetch(`${url}/v1/models`, { ...(headers && { headers }), redirect: "manual" });
  const text = await response.text();
  if (response.status === 401) throw new Error("The gateway asks for a key: SLUICE_API_KEY=sk-… npm run smoke -- URL");
  if (response.status !== 200) throw new Error(`GET /v1/models answers ${response.status}: ${text.slice(0, 300)}`);
  const { data }: { data: { id: string }[] } = JSON.parse(text);
  const [first] = data;
  if (first === undefined) throw new Error("No model is open to this key.");
  return first.id;
}
