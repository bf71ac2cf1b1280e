import type { SeenStream } from "./seen.ts";

const WATCHED_MS = 60_000;

/** Streams one answer and returns how it broke its silences; nothing where it gives no stream. */
export async function watchStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<SeenStream | undefined> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ ...body, stream: true }),
    redirect: "manual",
    signal: AbortSignal.timeout(WATCHED_MS),
  });
  if (!response.headers.get("content-type")?.startsWith("text/event-stream") || !response.body) {
    await response.body?.cancel();
    return undefined;
  }
  let comments = 0;
  let waitedMs = 0;
  let silentMs = 0;
  let last = performance.now();
  for await (const bytes of response.body) {
    const now = performance.now();
    const silence = now - last;
    silentMs = Math.max(silentMs, silence);
    last = now;
    if (!/^:/m.test(new TextDecoder().decode(bytes))) continue;
    comments += 1;
    waitedMs += silence;
  }
  return { comments, everyMs: comments === 0 ? 0 : Math.round(waitedMs / comments), silentMs: Math.round(silentMs) };
}
