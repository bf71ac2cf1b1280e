/** A Messages stream's records, read by hand: no code of the gateway is trusted here. */
import { asObject, type Json } from "./chat-records.ts";

export interface MessagesRecord {
  readonly event: string;
  readonly json: Json;
}

/**
 * Reads a stream in which each record is `event: NAME`, `data: ` with one line of JSON whose type is that name, and a
 * blank line. Throws for any other spelling.
 */
export function readMessagesRecords(stream: string): MessagesRecord[] {
  const records = stream.split("\n\n");
  if (records.pop() !== "") throw new Error(`the last record is not closed: ${stream.slice(-200)}`);
  return records.map((record) => {
    const [, event = "", data = ""] = /^event: ([a-z_]+)\ndata: (\{[^\r\n]*\})$/.exec(record) ?? [];
    if (event === "") throw new Error(`not a record in the one spelling: ${record}`);
    const json = asObject(JSON.parse(data));
    if (json["type"] !== event) throw new Error(`an event that its data calls otherwise: ${record}`);
    return { event, json };
  });
}
