/** The recorded exchanges with real servers. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../conformance/transcripts");

export interface Transcript {
  /** `folder/case`. */
  readonly name: string;
  readonly path: string;
  /** The request's body as text. */
  readonly request: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** The sizes of the pieces in which the body came. */
  readonly chunks: readonly number[];
}

interface Recording {
  readonly request: { readonly path: string; readonly body?: unknown };
  readonly response?: { readonly status: number; readonly headers: readonly (readonly [string, string])[] };
  readonly chunks?: readonly number[];
}

const FOLDERS = ["python", "python-bare", "python-die", "rust", "rust-bare", "rust-die"];

/** Every recorded exchange at `path`, in the order of their names. */
export function transcripts(path: string): Transcript[] {
  return FOLDERS.flatMap((folder) => {
    const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".json"));
    return names.toSorted().flatMap((name) => {
      const transcript = read(folder, name.slice(0, -".json".length));
      return transcript?.path === path ? [transcript] : [];
    });
  });
}

/** Whether the exchange is a stream that began well. */
export function isStream({ status, contentType }: Transcript): boolean {
  return status === 200 && contentType.startsWith("text/event-stream");
}

/** Whether the exchange is a whole answer. */
export function isWhole({ status, contentType }: Transcript): boolean {
  return status === 200 && contentType.startsWith("application/json");
}

function read(folder: string, name: string): Transcript | undefined {
  const place = join(ROOT, folder, name);
  const { request, response, chunks = [] }: Recording = JSON.parse(readFileSync(`${place}.json`, "utf8"));
  if (!response) return undefined;
  const { body } = request;
  return {
    name: `${folder}/${name}`,
    path: request.path,
    request: typeof body === "string" ? body : JSON.stringify(body ?? ""),
    status: response.status,
    contentType: response.headers.find(([header]) => header === "content-type")?.[1] ?? "",
    body: existsSync(`${place}.body`) ? readFileSync(`${place}.body`) : new Uint8Array(0),
    chunks,
  };
}
