/** What the command line asks for. */
import { parseArgs } from "node:util";
import { toTarget, type Target } from "./load/target.ts";

export const USAGE = `npm run bench [-- [--quick] [--json] [--rounds N] [--only TEXT] [--origin-port PORT] [--also NAME=URL[,PID]]…]

  --quick             a small version, in about a minute, to see that everything can be measured
  --json              the same rows as JSON, and nothing else on stdout
  --rounds N          how many rounds the medians are of
  --only TEXT         only rows whose name contains TEXT
  --origin-port PORT  a fixed port for the bench's origin, so that other gateways can be pointed at it
  --also NAME=URL     measure another gateway too, at http://HOST:PORT[/PREFIX]; with ",PID" its CPU and memory as well`;

export interface Rival {
  readonly name: string;
  readonly target: Target;
  readonly pid?: number;
}

export interface Options {
  readonly quick: boolean;
  readonly json: boolean;
  readonly rounds: number | undefined;
  readonly only: string | undefined;
  readonly originPort: number;
  readonly rivals: readonly Rival[];
}

/** Names that columns of the table have already. */
const TAKEN = ["sluice", "native", "floor", "transform", "direct"];

/** Throws an error that says what is wrong with the arguments. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      rounds: { type: "string" },
      only: { type: "string" },
      "origin-port": { type: "string", default: "0" },
      also: { type: "string", multiple: true, default: [] },
    },
  });
  const rivals = values.also.map(readRival);
  const names = [...TAKEN, ...rivals.map(({ name }) => name)];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`--also ${twice}: there is a column of that name already`);
  return {
    quick: values.quick,
    json: values.json,
    rounds: values.rounds === undefined ? undefined : wholeNumber("--rounds", values.rounds, 1, 1_000),
    only: values.only,
    originPort: wholeNumber("--origin-port", values["origin-port"], 0, 65_535),
    rivals,
  };
}

function readRival(text: string): Rival {
  const [, name, url, pid] = /^([^=]+)=([^,]+?)(?:,(\d+))?$/.exec(text) ?? [];
  if (name === undefined || url === undefined || !URL.canParse(url)) {
    throw new Error(`--also ${text}: must be NAME=URL or NAME=URL,PID`);
  }
  return { name, target: toTarget(url), ...(pid !== undefined && { pid: Number(pid) }) };
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text !== "" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`);
}
