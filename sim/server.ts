import { createServer, type Server, type Socket } from "node:net";
import { pathToFileURL } from "node:url";

import { createGates } from "./gates.ts";
import { serveConnection } from "./http/connection.ts";
import type { DialectName } from "./model.ts";
import { createRecorder, type RecordedRequest } from "./record.ts";
import type { Origin } from "./post.ts";
import { route } from "./routes.ts";

export type { RecordedRequest } from "./record.ts";

export interface SimOptions {
  /** Default 0: any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Mean milliseconds between tokens (default 25); 0 never waits. */
  pace?: number;
  /** Asked for on `/v1` paths as a bearer token; without it nothing is asked. */
  apiKey?: string;
  /** Names that `/v1/models` lists beside the base models; served is every name, listed or not. */
  models?: readonly string[];
  /** The dialect of answers that no model decides: unknown routes, broken bodies (default python). */
  dialect?: DialectName;
}

export interface Sim {
  url: string;
  port: number;
  /** What was asked so far, oldest first, at most the last thousand. */
  requests(): RecordedRequest[];
  /** Ends every connection and timer. */
  close(): Promise<void>;
}

/** Starts a simulated vLLM origin. Rejects when the port is taken. */
export async function startSim(options: SimOptions = {}): Promise<Sim> {
  const host = options.host ?? "127.0.0.1";
  const recorder = createRecorder();
  const seen = new Set<string>();
  const origin: Origin = {
    gates: createGates(),
    recorder,
    pace: options.pace ?? 25,
    apiKey: options.apiKey,
    models: options.models ?? [],
    dialect: options.dialect ?? "python",
    first(key) {
      if (seen.delete(key)) return false;
      seen.add(key);
      return true;
    },
  };
  const sockets = new Set<Socket>();
  // Half-open connections stay open, so that the client's FIN is seen as such and not answered by Node.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serveConnection(socket, {
      gates: origin.gates,
      begin: ({ method, target, headers }) => (isOwn(target) ? null : recorder.start(method, target, headers)),
      answer: (head, body, record) => route(origin, head, body, record),
    });
  });
  await listen(server, options.port ?? 0, host);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const { port } = address;
  return {
    url: `http://${host}:${port}`,
    port,
    requests: () => recorder.list(0),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function isOwn(target: string): boolean {
  return target.startsWith("/sim/") || /^\/health(\?|$)/.test(target);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { PORT, HOST, DIALECT, PACE, API_KEY } = process.env;
  const sim = await startSim({
    port: Number(PORT ?? 0),
    host: HOST ?? "127.0.0.1",
    dialect: DIALECT === "rust" ? "rust" : "python",
    ...(PACE === undefined ? {} : { pace: Number(PACE) }),
    ...(API_KEY === undefined ? {} : { apiKey: API_KEY }),
  });
  process.stdout.write(`simulated vLLM on ${sim.url}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void sim.close());
}
