/** What `check-config` says of limits that are valid, and that clients, models or networks would not get along with. */
import { expect, test } from "vitest";
import { checkLimits } from "../../scripts/check-config/limits.ts";
import { readConfig } from "../../src/config/config.ts";

/** What is said of the defaults with these limits instead, a line for each finding. */
function told(limits: object): string[] {
  const { limits: read } = readConfig({ ORIGINS: [{ url: "https://vllm.sluice.dev" }], ...limits });
  return checkLimits(read).map(({ level, text }) => `${level} ${text}`);
}

test.each([
  ["FIRST_EVENT_TIMEOUT_MS", 119_999, "less than 120000 ms, and a long prompt, or a queue, is minutes without a word."],
  ["IDLE_TIMEOUT_MS", 60_000, "less than 120000 ms, and vLLM may hold a whole tool call back."],
  ["ANSWER_TIMEOUT_MS", 100_000, "less than 120000 ms, and a whole answer comes only when all of it is there."],
  [
    "CLIENT_STALL_TIMEOUT_MS",
    59_999,
    "less than 60000 ms, and a client that is busy with what it got takes nothing for a while.",
  ],
  [
    "TOTAL_TIMEOUT_MS",
    300_000,
    "less than 600000 ms, and a long answer takes minutes, and is cut however well it goes.",
  ],
  ["BODY_TIMEOUT_MS", 9_999, "less than 10000 ms, and a phone sends a long prompt slowly."],
  ["MAX_BODY_BYTES", 1_048_575, "less than 1048576 bytes, and a long conversation, or one image, is a longer request."],
  ["MAX_FRAME_BYTES", 65_535, "less than 65536 bytes, and a tool call may come in one frame."],
  ["MAX_RESPONSE_BYTES", 1_048_575, "less than 1048576 bytes, and embeddings and log-probabilities are longer."],
  ["IDLE_TIMEOUT_MS", 0, "0 waits for ever: what hangs is never given up."],
  ["HOLD_MS", 0, "0. What fails before the first word is told as 200 and an error event."],
  [
    "HOLD_MS",
    55_001,
    "more than 55000 ms, and proxies on the way to the client end a connection that is silent for 60 s.",
  ],
  [
    "KEEPALIVE_MS",
    0,
    "0. Nothing breaks a silence, and proxies on the way to the client end a connection that is silent for 60 s.",
  ],
  [
    "KEEPALIVE_MS",
    60_000,
    "more than 55000 ms, and proxies on the way to the client end a connection that is silent for 60 s.",
  ],
])("%s = %d", (name, value, text) => {
  expect(told({ [name]: value })).toEqual([`warning ${name}: ${text}`]);
});

test("at their edge nothing is said, and a total of 0 is none", () => {
  expect(told({ IDLE_TIMEOUT_MS: 120_000, MAX_FRAME_BYTES: 65_536, KEEPALIVE_MS: 55_000, HOLD_MS: 1 })).toEqual([]);
  expect(told({ TOTAL_TIMEOUT_MS: 0 })).toEqual([]);
});
