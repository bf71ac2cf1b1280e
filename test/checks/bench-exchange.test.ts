/** An answer that is not right is found out: who drops half of the stream must not look fast. */
import { expect, test } from "vitest";
import { Exchange } from "../../bench/load/exchange.ts";

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const EVENTS = "data: 1\n\ndata: 2\n\n";
const DONE = "data: [DONE]\n\n";
const LAST = "0\r\n\r\n";

test("a stream that is right has no flaw, and each event's time where that is wanted", () => {
  const exchange = read([HEAD + chunk(EVENTS), chunk(": keepalive\n\n"), chunk(DONE), LAST]);
  expect(exchange.flawOfStream(2)).toBeUndefined();
  expect(exchange.eventsAt).toHaveLength(2);
  expect(exchange.endedAt).toBeTypeOf("number");
  expect(exchange.reusable).toBe(true);
});

test.each([
  ["an event is missing", [HEAD, chunk(EVENTS), chunk(DONE), LAST], 3, "2 events instead of 3"],
  ["no terminator", [HEAD, chunk(EVENTS), LAST], 2, "no terminator at its end"],
  ["no last chunk", [HEAD, chunk(EVENTS), chunk(DONE)], 2, "cut off after 2 events"],
  ["no head", ["HTTP/1.1 200 OK\r\n"], 2, "cut off after 0 events"],
  ["a broken chunk", [HEAD, "data: 1\n\n"], 1, 'Error: not the size of a chunk: "data: 1"'],
  ["a refusal", ["HTTP/1.1 429 Too Many Requests\r\ncontent-length: 4\r\n\r\n", "busy"], 2, "HTTP 429: busy"],
  [
    "no stream",
    ["HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nok"],
    0,
    "not an event stream",
  ],
])("%s", (_name, parts, events, flaw) => {
  expect(read(parts).flawOfStream(events)).toBe(flaw);
});

test("of a rival's stream the number of events is its own affair", () => {
  expect(read([HEAD, chunk(EVENTS), chunk(DONE), LAST]).flawOfStream(undefined)).toBeUndefined();
});

test("a whole answer may end with its connection, and that connection is not used again", () => {
  const exchange = read(["HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n", "some", "thing"]);
  expect(exchange.broken).toBeUndefined();
  expect(exchange.bodyBytes).toBe(9);
  expect(exchange.reusable).toBe(false);
});

function read(parts: readonly string[]): Exchange {
  const exchange = new Exchange(true);
  for (const part of parts) exchange.push(Buffer.from(part));
  exchange.end();
  return exchange;
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}
