/** A chat stream's records, read by hand: no code of the gateway is trusted here. */

export type Json = Record<string, unknown>;

export interface ChatRecords {
  /** The JSON of each record, and its text as it came. */
  readonly chunks: readonly { readonly json: Json; readonly text: string }[];
  /** How many `[DONE]` there are. */
  readonly terminators: number;
  /** Whether the last record is `[DONE]`. */
  readonly terminated: boolean;
}

/** Reads a stream in which each record is `data: `, one line and LF LF; comments are skipped. Throws for any other spelling. */
export function readChatRecords(stream: string): ChatRecords {
  const records = stream.split("\n\n");
  if (records.pop() !== "") throw new Error("the last record is not closed");
  const data = records.filter((record) => !record.startsWith(":"));
  const wrong = data.find((record) => !record.startsWith("data: ") || record.includes("\n") || record.includes("\r"));
  if (wrong !== undefined) throw new Error(`not a record in the one spelling: ${wrong}`);
  const chunks = data.filter((record) => record !== "data: [DONE]");
  return {
    chunks: chunks.map((record) => ({ json: JSON.parse(record.slice("data: ".length)), text: record })),
    terminators: data.length - chunks.length,
    terminated: data.at(-1) === "data: [DONE]",
  };
}

export function asObject(value: unknown): Json {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
