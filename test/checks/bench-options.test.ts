import { expect, test } from "vitest";
import { fromModel, toModel, type Orders } from "../../bench/frames/orders.ts";
import { readOptions } from "../../bench/options.ts";

test("without arguments everything is measured, of our own contenders", () => {
  expect(readOptions([])).toEqual({
    quick: false,
    json: false,
    rounds: undefined,
    only: undefined,
    originPort: 0,
    rivals: [],
  });
});

test("each argument is taken; rivals may be several, with a process or without", () => {
  const args = "--quick --json --rounds 3 --only CPU --origin-port 8001".split(" ");
  const rivals = ["--also", "other=http://127.0.0.1:4000/openai/,123", "--also=far=http://gateway.example"];
  expect(readOptions([...args, ...rivals])).toEqual({
    quick: true,
    json: true,
    rounds: 3,
    only: "CPU",
    originPort: 8001,
    rivals: [
      { name: "other", target: { host: "127.0.0.1", port: 4000, prefix: "/openai" }, pid: 123 },
      { name: "far", target: { host: "gateway.example", port: 80, prefix: "" } },
    ],
  });
});

test.each([
  [["--fast"], /'--fast'/],
  [["quick"], /'quick'/],
  [["--rounds", "0"], '--rounds must be a whole number from 1 to 1000, not "0"'],
  [["--rounds", "2.5"], '--rounds must be a whole number from 1 to 1000, not "2.5"'],
  [["--origin-port", "http"], '--origin-port must be a whole number from 0 to 65535, not "http"'],
  [["--also", "http://x"], "--also http://x: must be NAME=URL or NAME=URL,PID"],
  [["--also", "x=nowhere"], "--also x=nowhere: must be NAME=URL or NAME=URL,PID"],
  [["--also", "x=https://x"], "https://x: only http:// can be measured"],
  [["--also", "floor=http://x"], "--also floor: there is a column of that name already"],
])("%j is refused", (args, message) => {
  expect(() => readOptions(args)).toThrow(message);
});

test.each<[Orders, string]>([
  [{ scenario: "chat", steps: 197, pace: 20 }, "bench/chat?steps=197&pace=20"],
  [
    { scenario: "chat-n2", steps: 0, pace: 0, hush: "frame", tag: "t7" },
    "bench/chat-n2?steps=0&pace=0&hush=frame&tag=t7",
  ],
  [{ scenario: "chat", steps: 0, pace: 0, bytes: 1000 }, "bench/chat?steps=0&pace=0&bytes=1000"],
])("orders are read from the model's name as they were written: %j", (orders, model) => {
  expect(toModel(orders)).toBe(model);
  expect(fromModel(model)).toEqual(orders);
});

test("another model's name is no order", () => {
  expect(fromModel("tiny")).toBeUndefined();
});
