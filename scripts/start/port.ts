import { createServer } from "node:net";
import { StartFailure } from "./failure.ts";

const DEFAULT_PORT = 8787;

/** Returns the port that `text` names, the default one for none. Throws `StartFailure` for anything else. */
export function readPort(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535)
    throw new StartFailure(`PORT must be a number from 1 to 65535, not ${JSON.stringify(text)}.`);
  return port;
}

/** Throws `StartFailure` when nobody could listen on `port` now: wrangler dev would say so late and less clearly. */
export async function checkPort(host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const server = createServer().once("error", reject).listen({ host, port, exclusive: true }, resolve);
  try {
    await promise;
  } catch (error) {
    throw new StartFailure(explain(error, port), { cause: error });
  }
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  await closed.promise;
}

function explain(error: unknown, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `Port ${port} is in use. Choose another: PORT=8788 npm start`;
  if (code === "EACCES") return `Port ${port} may not be opened by this user. Choose another: PORT=8788 npm start`;
  return `Port ${port} cannot be opened (${String(code ?? error)}).`;
}
