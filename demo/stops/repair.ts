import assert from "node:assert/strict";
import { chunksOf, postChat, streamOf, type Chunk, type Gateway } from "../gateway.ts";
import type { Screen } from "../screen.ts";
import type { SimulatedStop } from "../stop.ts";

const parameters = (name: string): object => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
});

const TOOLS = [
  { type: "function", function: { name: "get_weather", parameters: parameters("city") } },
  { type: "function", function: { name: "get_time", parameters: parameters("zone") } },
];

/** The same request, asked of the origin itself and through the gateway: what was loose there is strict here. */
export const repair: SimulatedStop = {
  title: "A loose origin, a strict stream",
  where: "simulated origin",
  async run(gateway, screen, sim) {
    const origin = { ...gateway, url: sim.url, key: undefined };
    await compareCalls(origin, gateway, screen);
    await compareFinish(origin, gateway, screen);
  },
};

async function compareCalls(origin: Gateway, gateway: Gateway, screen: Screen): Promise<void> {
  const request = {
    model: "sim/tool-interleaved",
    stream: true,
    tools: TOOLS,
    messages: [{ role: "user", content: "Both, please: the weather and the time." }],
  };
  const [before, after] = [await ask(origin, request), await ask(gateway, request)].map(callOrder);
  screen.note(`the origin mixes the fragments of two calls   ${before}`);
  screen.note(`the client gets one call after the other      ${after}`);
  assert.match(before ?? "", /0+1+0/, "the origin did not mix its calls");
  assert.match(after ?? "", /^0+1+$/, "the client's calls are mixed");
  screen.seen("no call is mixed with another, and the first was not held back");
}

async function compareFinish(origin: Gateway, gateway: Gateway, screen: Screen): Promise<void> {
  const request = {
    model: "sim/no-finish",
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 4,
    messages: [{ role: "user", content: "What does a sluice do?" }],
  };
  const said = await ask(origin, request);
  const heard = await ask(gateway, request);
  const [before, after] = [finishes(said), finishes(heard)];
  screen.note(`the origin forgets to say how it finished      ${before || "–"}`);
  screen.note(`the client gets what was seen: four tokens     ${after}`);
  assert.equal(before, "", "the origin did finish");
  assert.equal(after, "length", "the finish is not the limit that was reached");
  assert.equal(heard.at(-1)?.usage?.completion_tokens, 4, "the usage is not last, or not right");
  screen.seen("one finish, the usage that was asked for, one [DONE]");
}

async function ask(gateway: Gateway, request: object): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of chunksOf(await streamOf(await postChat(gateway, request)))) {
    assert.equal(chunk.error, undefined, `the stream failed: ${chunk.error?.message}`);
    chunks.push(chunk);
  }
  return chunks;
}

/** Which call each fragment belongs to, in the order in which they came. */
function callOrder(chunks: readonly Chunk[]): string {
  const calls = chunks.flatMap(({ choices = [] }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
  return calls.map(({ index }) => String(index)).join("");
}

function finishes(chunks: readonly Chunk[]): string {
  return chunks.flatMap(({ choices = [] }) => choices.map((choice) => choice.finish_reason ?? "")).join("");
}
