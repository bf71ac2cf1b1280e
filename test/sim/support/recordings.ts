import { readdirSync, readFileSync } from "node:fs";

/** One recorded exchange with a real server. */
export interface Recording {
  name: string;
  request: { method: string; path: string; headers?: Record<string, string>; body: unknown };
  response: { status: number; headers: [string, string][] };
  chunks: number[];
  ended: string;
  body: string;
}

const ROOT = new URL("../../conformance/transcripts/", import.meta.url);

/** All recordings of a server, by name. */
export function recordingsOf(server: string): Recording[] {
  const folder = new URL(`${server}/`, ROOT);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file): Recording => {
      const name = file.slice(0, -".json".length);
      const meta: Omit<Recording, "name" | "body"> = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
      return { ...meta, name, body: readFileSync(new URL(`${name}.body`, folder), "utf8") };
    });
}
