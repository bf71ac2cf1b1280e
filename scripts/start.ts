/** `npm start`: the simulated origin, unless ORIGINS names a real one, and the Worker under `wrangler dev`. */
import { join } from "node:path";
import { faultModels } from "../sim/faults/index.ts";
import { startSim } from "../sim/server.ts";
import { writeEnvFile } from "./start/env-file.ts";
import { StartFailure } from "./start/failure.ts";
import { greet } from "./start/greeting.ts";
import { interruption } from "./start/interrupt.ts";
import { at, parseJson, textAt } from "./start/json.ts";
import { listModels, originUrls, type Listed } from "./start/origin.ts";
import { checkPort, readPort } from "./start/port.ts";
import { readDevVars, readSettings, unknownNames, withSimulatedOrigin } from "./start/settings.ts";
import { WranglerDev } from "./start/wrangler.ts";

const HOST = "127.0.0.1";
/** Of the simulated origin, which the greeting knows by heart. */
const NOTHING: Listed = { models: [], refused: false };
const root = join(import.meta.dirname, "..");

// Whatever was started, the last one first; `force` is for the one thing that outlives this process.
const started = new AsyncDisposableStack();
let force = (): void => undefined;

try {
  // Resolves when asked to end; `run` itself ends only by failing.
  await Promise.race([interruption(() => force()), run()]);
} catch (error) {
  console.error(error instanceof StartFailure ? error.message : error);
  process.exitCode = 1;
}
await started.disposeAsync();
process.exit();

async function run(): Promise<never> {
  const port = readPort(process.env["PORT"]);
  const devVars = readDevVars(join(root, ".dev.vars"));
  for (const name of unknownNames(devVars)) console.error(`.dev.vars: ${name} is not a setting and has no effect.`);
  const given = readSettings(process.env, devVars);
  await checkPort(HOST, port);
  const simulated = !given["ORIGINS"];
  const settings = simulated ? withSimulatedOrigin(given, await startOrigin()) : given;
  if (started.disposed) throw new StartFailure("Asked to end while starting.");

  const envFile = started.use(writeEnvFile(settings));
  const wrangler = started.use(new WranglerDev({ root, host: HOST, port, envFile: envFile.path }));
  force = () => {
    wrangler.kill();
    envFile[Symbol.dispose]();
  };
  const url = `http://${HOST}:${port}`;
  const typed = process.env["ORIGINS"] || undefined;
  const [problem, listed] = await Promise.race([
    wrangler.failure,
    Promise.all([wrangler.listening.then(() => findProblem(url)), simulated ? NOTHING : listModels(settings)]),
  ]);
  const closed = settings["API_KEYS"] ? "keys" : "shut";
  const door = (await isOpen(url)) ? "open" : closed;
  console.log(greet({ url, simulated, origins: originUrls(settings), ...listed, typed, door, problem }));
  wrangler.showLog();
  return wrangler.failure;
}

async function startOrigin(): Promise<string> {
  // generate takes only models that are listed, and the faults are worth a try there too.
  const sim = await startSim({ host: HOST, models: faultModels() });
  started.defer(() => sim.close());
  return sim.url;
}

/** Whether a caller without a key is let in. The Worker knows best: `[vars]` of wrangler.toml count too. */
async function isOpen(url: string): Promise<boolean> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body: "{}" });
  await response.body?.cancel();
  return response.status === 400;
}

/** Asks the Worker how it is. Its answer, whatever it is, is also what makes it ready. */
async function findProblem(url: string): Promise<string | undefined> {
  const response = await fetch(`${url}/health`);
  const error = at(parseJson(await response.text()), "error");
  if (response.ok) return undefined;
  return textAt(error, "message") ?? `GET /health answers ${response.status}.`;
}
