import { FAULTS, type PlacedFault } from "./faults/index.ts";
import { readSwitches, type Switches } from "./switches.ts";

export type DialectName = "python" | "rust";

/** What a model's name says about the answer. */
export interface Model {
  /** As the request spells it: vLLM repeats it in the answer. */
  name: string;
  dialect: DialectName;
  /**
   * Where the text comes from: prose and tools, the last user message (or the prompt), or the request's script; a
   * pooling model says nothing.
   */
  voice: "prose" | "say" | "script" | "none";
  fault: PlacedFault | undefined;
  switches: Switches;
  /** Tokens of prompt and answer together. */
  window: number;
}

export const BASE_MODELS = ["sim/chat", "sim/chat-rust", "sim/say", "sim/embed", "tiny", "tiny-rust"] as const;

/** The model for a name; `unknown` for a name that nobody serves, `wrong` for a bad switch (with its sentence). */
export function readModel(
  name: string,
  defaults: DialectName,
): { model: Model } | { unknown: true; dialect: DialectName } | { wrong: string; dialect: DialectName } {
  const mark = name.indexOf("?");
  const path = mark < 0 ? name : name.slice(0, mark);
  // `error-rust` is a fault of its own, so a name is tried as it stands before its ending is taken for the dialect.
  const plain = path.endsWith("-rust") ? path.slice(0, -"-rust".length) : path;
  const found = voiceOf(path) ?? voiceOf(plain);
  const ending: DialectName = plain === path ? "python" : "rust";
  if (found === undefined) return { unknown: true, dialect: plain === path ? defaults : "rust" };
  const dialect = found.fault?.dialect ?? ending;
  const read = readSwitches(mark < 0 ? "" : name.slice(mark + 1));
  if ("wrong" in read) return { wrong: read.wrong, dialect };
  const window = found.voice === "script" ? 2048 : 8192;
  const switches = { ...found.fault?.switches, ...read.switches };
  return { model: { name, dialect, ...found, switches, window } };
}

function voiceOf(path: string): Pick<Model, "voice" | "fault"> | undefined {
  if (path === "tiny") return { voice: "script", fault: undefined };
  if (path === "sim/chat") return { voice: "prose", fault: undefined };
  if (path === "sim/say") return { voice: "say", fault: undefined };
  if (path === "sim/embed") return { voice: "none", fault: undefined };
  const name = path.startsWith("sim/") ? path.slice(4) : undefined;
  const fault = name !== undefined && Object.hasOwn(FAULTS, name) ? FAULTS[name] : undefined;
  return fault === undefined ? undefined : { voice: "prose", fault };
}
