import { expect, test } from "vitest";
import { createChunkedReader } from "../../bench/wire/chunked.ts";
import { readHead } from "../../bench/wire/head.ts";
import { createRecordCounter } from "../../bench/wire/records.ts";
import { createRequestReader } from "../../bench/origin/request.ts";

const CHUNKED = "7\r\ndata: a\r\nB;x=1\r\n\n\n: hello!\n\r\n2\r\n\r\n\r\n0\r\nx-trailer: 1\r\n\r\n";
const BODY = "data: a\n\n: hello!\n\r\n";

test("a chunked body is the same however its bytes are cut, and whole with its last byte only", () => {
  for (let cut = 0; cut <= CHUNKED.length; cut += 1) {
    expect(readChunked([CHUNKED.slice(0, cut), CHUNKED.slice(cut)])).toEqual({ body: BODY, whole: true });
  }
  expect(readChunked(CHUNKED.split(""))).toEqual({ body: BODY, whole: true });
  expect(readChunked([CHUNKED.slice(0, -1)])).toEqual({ body: BODY, whole: false });
});

test("what is no chunk's size is refused", () => {
  expect(() => readChunked(["data: a\n\n"])).toThrow('not the size of a chunk: "data: a"');
});

const RECORDS = 'data: {"a":1}\n\n: keepalive\n\nevent: ping\ndata: {}\n\ndata: [DONE]\n\n';

test("events are counted however their bytes are cut: comments and the terminator are none", () => {
  for (let cut = 0; cut <= RECORDS.length; cut += 1) {
    expect(count([RECORDS.slice(0, cut), RECORDS.slice(cut)])).toEqual({ events: 2, done: true });
  }
  expect(count(RECORDS.split(""))).toEqual({ events: 2, done: true });
});

test.each([
  ["data: 1\n\n", { events: 1, done: false }],
  ["data: 1\n\ndata: [DONE]\n", { events: 1, done: false }],
  ["data: [DONE]\n\ndata: 1\n\n", { events: 1, done: false }],
  ["data: [DONE]\n\ndata: 1", { events: 0, done: false }],
  ["data: [DONE]\n\n: bye\n\n", { events: 0, done: true }],
  ["data: [DONE]\n\ndata: [DONE]\n\n", { events: 1, done: false }],
  ["event: ping\ndata: {}\n\nevent: message_stop\ndata: {}\n\n", { events: 1, done: true }],
  ["event: message_stop\ndata: {}\n\ndata: [DONE]\n\n", { events: 1, done: false }],
  ["event: message_stopped\ndata: {}\n\n", { events: 1, done: false }],
])("a stream is over with its terminator, and nothing after it: %j", (stream, expected) => {
  expect(count([stream])).toEqual(expected);
});

test("a head is read once it is whole", () => {
  expect(readHead(Buffer.from("HTTP/1.1 200 OK\r\nA: b\r\n"))).toBeUndefined();
  expect(readHead(Buffer.from("HTTP/1.1 200 OK\r\nContent-Type:  a: b \r\n\r\nxyz"))).toEqual({
    head: { line: "HTTP/1.1 200 OK", headers: new Map([["content-type", "a: b"]]) },
    bodyAt: 41,
  });
});

test("the origin reads requests with and without a body, however their bytes are cut", () => {
  const sent = [
    "POST /v1/completions HTTP/1.1\r\ncontent-length: 4\r\n\r\nabcd",
    "POST /chunked HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2\r\nef\r\n0\r\n\r\n",
    "GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n",
  ];
  const expected = [
    { target: "/v1/completions", body: "abcd" },
    { target: "/chunked", body: "ef" },
    { target: "/v1/models", body: "" },
  ];
  const atOnce = createRequestReader();
  expect(sent.flatMap((request) => atOnce(Buffer.from(request)))).toEqual(expected);
  const byByte = createRequestReader();
  expect([...Buffer.from(sent.join(""))].flatMap((byte) => byByte(Buffer.from([byte])))).toEqual(expected);
});

function readChunked(parts: readonly string[]): { body: string; whole: boolean } {
  const reader = createChunkedReader();
  let body = "";
  let whole = false;
  for (const part of parts) whole = reader.push(Buffer.from(part), (bytes) => (body += bytes.toString()));
  return { body, whole };
}

function count(parts: readonly string[]): { events: number; done: boolean } {
  const counter = createRecordCounter();
  const events = parts.map((part) => counter.push(Buffer.from(part))).reduce((sum, more) => sum + more, 0);
  return { events, done: counter.done };
}
