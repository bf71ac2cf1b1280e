/**
 * `npm run demo`: a short tour of what the gateway does, which fails if it does not. `-- --url URL --model MODEL` shows
 * what can be shown of a gateway elsewhere, with `--key KEY` or `SLUICE_API_KEY` where one is needed, and
 * `--without-tools` where the origin has no tool parser. `npm run smoke` is that.
 */
import { constants } from "node:os";
import { parseArgs } from "node:util";
import { interruption } from "../scripts/start/interrupt.ts";
import type { Sim } from "../sim/server.ts";
import type { Gateway } from "./gateway.ts";
import { startHome } from "./home.ts";
import { Screen } from "./screen.ts";
import type { Stop } from "./stop.ts";
import { answer } from "./stops/answer.ts";
import { cut } from "./stops/cut.ts";
import { generate } from "./stops/generate.ts";
import { leave } from "./stops/leave.ts";
import { messages } from "./stops/messages.ts";
import { refusal } from "./stops/refusal.ts";
import { repair } from "./stops/repair.ts";
import { toolCall } from "./stops/tool-call.ts";

const STOPS: readonly Stop[] = [answer, toolCall, refusal, leave, cut, repair, generate, messages];
const STOP_WITHIN_MS = 60_000;
const USAGE = "npm run demo [-- --url URL --model MODEL [--key KEY] [--without-tools]]";

const screen = new Screen();
const started = new AsyncDisposableStack();
const leaving = new AbortController();

try {
  const interrupted = interruption(() => undefined).then(() => 128 + constants.signals.SIGINT);
  process.exitCode = await Promise.race([interrupted, tour()]);
} catch (error) {
  screen.failed(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
}
leaving.abort();
await started.disposeAsync();
process.exit();

/** Returns the exit status. */
async function tour(): Promise<number> {
  const options = readOptions();
  if (options === undefined) return 2;
  const { url, sim } =
    options.url === undefined ? await startHome(started, leaving.signal) : { url: options.url, sim: undefined };
  screen.title(sim ? `Sluice on ${url}, in front of a simulated vLLM on ${sim.url}` : `The gateway at ${url}`);
  const stops = STOPS.filter(
    (stop) => sim || (stop.where === "anywhere" && !(stop.needsTools && options.withoutTools)),
  );
  for (const [at, stop] of stops.entries()) {
    screen.title(`${at + 1}/${stops.length}   ${stop.title}`);
    const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(STOP_WITHIN_MS)]);
    try {
      await visit(stop, { ...options, url, signal }, sim);
    } catch (error) {
      if (!leaving.signal.aborted) screen.failed(`Stop ${at + 1} (${stop.title}) failed: ${explain(error)}`);
      return 1;
    }
  }
  screen.title(`All ${stops.length} stops are as they should be.`);
  return 0;
}

async function visit(stop: Stop, gateway: Gateway, sim: Sim | undefined): Promise<void> {
  if (stop.where === "anywhere") await stop.run(gateway, screen, sim);
  else if (sim) await stop.run(gateway, screen, sim);
}

interface Options {
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly model: string;
  readonly withoutTools: boolean;
}

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        url: { type: "string" },
        key: { type: "string" },
        model: { type: "string" },
        "without-tools": { type: "boolean", default: false },
      },
    });
    // Where other users may list processes, a key is better not among the arguments.
    const { url, key = process.env["SLUICE_API_KEY"], model } = values;
    if (url !== undefined && model === undefined) throw new Error("--url needs --model: one that the gateway serves");
    return {
      url: url === undefined ? undefined : new URL(url).href.replace(/\/+$/, ""),
      // The tour's own gateway asks for none.
      key: url === undefined ? undefined : key,
      model: model ?? "sim/chat",
      withoutTools: values["without-tools"],
    };
  } catch (error) {
    screen.failed(`${error instanceof Error ? error.message : String(error)}\n      ${USAGE}`);
    return undefined;
  }
}

/** An assertion of a stop's own speaks for itself; of anything else the cause is worth knowing. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
