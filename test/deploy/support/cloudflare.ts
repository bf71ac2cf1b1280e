/**
 * As much of Cloudflare as `wrangler deploy` and `wrangler rollback` talk to: versions and deployments of one Worker.
 * What is deployed really runs, with the bindings it was uploaded with, and answers at the same address.
 */
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { runWorker, type RunningWorker } from "../../../scripts/worker/run.ts";

interface Version {
  readonly id: string;
  readonly script: string;
  readonly bindings: readonly { readonly name: string; readonly type: string; readonly text?: string }[];
  readonly annotations: Readonly<Record<string, string>>;
}

export interface Cloudflare extends AsyncDisposable {
  /** Where both the API and the deployed Worker are. */
  readonly url: string;
  /** Ids of the versions that were made to serve, in that order. */
  readonly deployments: readonly string[];
  /** From now on refuses to say where a Worker answers, which wrangler asks once a version has begun to serve. */
  refuseRoutes(): void;
}

export interface CloudflareOptions {
  /** What a name in the settings of a Worker leads to. */
  readonly names: Readonly<Record<string, string>>;
  /** Refuses to go back to an earlier version. */
  readonly refusesRollback?: boolean;
}

/** Starts it, with no Worker deployed. */
export async function startCloudflare({ names, refusesRollback }: CloudflareOptions): Promise<Cloudflare> {
  const versions: Version[] = [];
  const deployments: string[] = [];
  let running: RunningWorker | undefined;
  let routesRefused = false;

  async function serve(id: string): Promise<void> {
    const version = versions.find((candidate) => candidate.id === id);
    if (!version) throw new Error(`no version ${id}`);
    await running?.close();
    const texts = version.bindings.map(({ name, text = "" }) => [name, resolve(text)]);
    running = await runWorker({ script: version.script, settings: Object.fromEntries(texts), onLog: () => {} });
    deployments.push(id);
  }

  function resolve(text: string): string {
    return Object.entries(names).reduce((known, [name, url]) => known.replaceAll(name, url), text);
  }

  async function upload(incoming: IncomingMessage): Promise<Version> {
    const headers = { "content-type": incoming.headers["content-type"] ?? "" };
    const form = await new Response(await buffer(incoming), { headers }).formData();
    const { bindings, annotations = {} } = JSON.parse(await textOf(form.get("metadata")));
    const id = `${String(versions.length + 1).repeat(8)}-0000-4000-8000-000000000000`;
    const version: Version = { id, script: await textOf(form.get("index.js")), bindings, annotations };
    versions.push(version);
    return version;
  }

  /** Returns the result of one call, or the code of an error. */
  async function answer(method: string, path: string, incoming: IncomingMessage): Promise<object | number> {
    const [, id] = /\/versions\/([^/]+)$/.exec(path) ?? [];
    const latest = deployments.at(-1);
    if (/\/services\/[^/]+$/.test(path)) return latest ? { default_environment: { script: {} } } : 10_090;
    if (path.includes("/workers/workers/") && routesRefused) return 10_000;
    if (path.endsWith("/subdomain")) return { subdomain: "acme", enabled: true };
    if (/\/workers\/workers\/[^/]+$/.test(path)) return { subdomain: { enabled: true, previews_enabled: false } };
    if (path.endsWith("/deployments") && method === "GET") {
      const list = deployments.map((version_id) => ({ versions: [{ version_id, percentage: 100 }], annotations: {} }));
      return latest ? { deployments: list.toReversed() } : 10_007;
    }
    if (path.endsWith("/deployments")) {
      const [wanted]: { version_id: string }[] = JSON.parse((await buffer(incoming)).toString()).versions;
      if (refusesRollback && wanted && deployments.includes(wanted.version_id)) return 10_211;
      await serve(wanted?.version_id ?? "");
      return {};
    }
    if (id !== undefined) return describe(versions.find((version) => version.id === id));
    if (path.endsWith("/versions")) return describe(await upload(incoming));
    if (/\/scripts\/[^/]+$/.test(path) && method === "PUT") {
      const version = await upload(incoming);
      await serve(version.id);
      return { startup_time_ms: 1, deployment_id: version.id.replaceAll("-", "") };
    }
    return {};
  }

  const server = createServer((incoming, outgoing) => {
    const path = incoming.url?.split("?")[0] ?? "";
    if (!path.startsWith("/accounts/")) {
      pass(incoming, outgoing, running);
      return;
    }
    void answer(incoming.method ?? "", path, incoming).then((result) => respond(outgoing, result));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return {
    url: `http://127.0.0.1:${address.port}`,
    deployments,
    refuseRoutes: () => void (routesRefused = true),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await running?.close();
    },
  };
}

/** In the API's own envelope. */
function respond(outgoing: ServerResponse, result: object | number): void {
  const success = typeof result === "object";
  const errors = success ? [] : [{ code: result, message: "It was refused." }];
  outgoing.writeHead(success ? 200 : 404, { "content-type": "application/json" });
  outgoing.end(JSON.stringify({ success, errors, messages: [], result: success ? result : null }));
}

function describe(version: Version | undefined): object {
  const metadata = { author_email: "a@b.test", created_on: "2026-11-01T00:00:00Z", source: "wrangler" };
  const { id, bindings = [], annotations = {} } = version ?? {};
  const script = { etag: "e", handlers: ["fetch"] };
  return {
    id,
    number: 1,
    startup_time_ms: 1,
    metadata,
    annotations,
    resources: { bindings, script, script_runtime: {} },
  };
}

async function textOf(part: FormDataEntryValue | null): Promise<string> {
  if (part === null) throw new Error("a part of the upload is missing");
  return typeof part === "string" ? part : part.text();
}

/** Hands a request on to the Worker that serves. */
function pass(incoming: IncomingMessage, outgoing: ServerResponse, worker: RunningWorker | undefined): void {
  if (!worker) {
    outgoing.writeHead(404).end();
    return;
  }
  const { method, headers } = incoming;
  const onward = httpRequest(
    new URL(incoming.url ?? "/", worker.url),
    { ...(method && { method }), headers },
    (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    },
  );
  onward.on("error", () => outgoing.destroy());
  incoming.pipe(onward);
}
