/** `npm run bench`: what Sluice costs, side by side with the least that it could cost, in one run on one machine. */
import { constants } from "node:os";
import { interruption } from "../scripts/start/interrupt.ts";
import { startBench } from "./home.ts";
import { tasksFor } from "./measures/all.ts";
import { readOptions, USAGE, type Options } from "./options.ts";
import { HAS_ACCOUNTING } from "./process/accounting.ts";
import { Book } from "./report/book.ts";
import { machine } from "./report/machine.ts";
import { toTable } from "./report/table.ts";
import { runRounds } from "./rounds.ts";

const started = new AsyncDisposableStack();
const leaving = new AbortController();
const tell = (line: string): void => {
  process.stderr.write(`bench, ${(performance.now() / 1_000).toFixed(0)} s: ${line}\n`);
};

const options = read();
if (options) {
  try {
    const interrupted = interruption(() => undefined).then(() => 128 + constants.signals.SIGINT);
    process.exitCode = await Promise.race([interrupted, measure(options)]);
  } catch (error) {
    tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 1;
  }
  leaving.abort();
  await started.disposeAsync();
}
process.exit();

function read(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    tell(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exitCode = 2;
    return undefined;
  }
}

/** Returns the exit status: whether everything could be measured, never how fast it was. */
async function measure({ only, json, ...rest }: Options): Promise<number> {
  const { bench, folder } = await startBench(started, { only, json, ...rest });
  if (!HAS_ACCOUNTING) tell("there is no /proc here: the rows of CPU and memory are left out");
  const tasks = tasksFor(bench, folder, only);
  if (tasks.length === 0) {
    tell(`no row's name contains ${JSON.stringify(only)}`);
    return 2;
  }
  if (rest.originPort > 0) tell(`the origin is http://127.0.0.1:${rest.originPort}`);
  const book = new Book();
  await runRounds(bench, tasks, book, tell, leaving.signal);

  const rows = tasks.flatMap((task) => task.rows).map((row) => book.rowFor(row));
  const contenders = ["sluice", "native", "floor", "transform", "direct", ...rest.rivals.map(({ name }) => name)];
  const about = { ...machine(), rounds: bench.scale.rounds, quick: rest.quick };
  const { problems } = book;
  const report = json
    ? JSON.stringify({ ...about, contenders, rows, problems }, null, 2)
    : `${about.cpus} × ${about.cpu}, ${about.system}, Node ${about.node}, rounds: ${about.rounds}\n\n${toTable(rows, contenders)}`;
  await new Promise((resolve) => process.stdout.write(`${report}\n`, resolve));
  return problems.length > 0 ? 1 : 0;
}
