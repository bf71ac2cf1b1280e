import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { RecordedRequest, Sim } from "../../sim/server.ts";
import { chunksOf, postChat, streamOf } from "../gateway.ts";
import type { SimulatedStop } from "../stop.ts";

const WORDS = 400;
const TOKENS_SEEN = 8;
const FREED_WITHIN_MS = 3_000;

/** A client that leaves frees the GPU: its request to the origin is closed. */
export const leave: SimulatedStop = {
  title: "A client that leaves in the middle",
  where: "simulated origin",
  async run(gateway, screen, sim) {
    const model = `sim/chat?words=${WORDS}&pace_ms=20`;
    screen.note(`POST /v1/chat/completions  {"model": "${model}", "stream": true, …}`);
    const messages = [{ role: "user", content: "Tell me a very long story." }];
    const response = await postChat(gateway, { model, stream: true, messages });
    let seen = 0;
    let leftAt = 0;
    for await (const { choices } of chunksOf(await streamOf(response))) {
      const text = choices?.[0]?.delta.content;
      if (!text) continue;
      screen.piece(text);
      seen += 1;
      leftAt = Date.now();
      // Leaving the loop cancels the body, which closes the connection.
      if (seen === TOKENS_SEEN) break;
    }
    screen.note(`the client has left after ${seen} tokens; what does the origin's own record say?`);
    const record = await ended(sim, model);
    assert.equal(record.ended, "closed", `its request was ${record.ended}, not closed`);
    assert.ok(record.frames < WORDS / 4, `it had written ${record.frames} events before it noticed`);
    const after = (record.endedAt ?? leftAt) - leftAt;
    screen.seen(
      `GET /sim/requests: ended "${record.ended}", ${after} ms after the client left, with ${record.frames} events written`,
    );
  },
};

/** The news takes a moment to get there: the record is looked at until it says how the request ended. */
async function ended(sim: Sim, model: string): Promise<RecordedRequest> {
  const deadline = performance.now() + FREED_WITHIN_MS;
  for (;;) {
    const records = await listRequests(sim);
    const record = records.findLast((candidate) => candidate.model === model);
    assert.ok(record, "the origin never got the request");
    if (record.ended !== "open") return record;
    assert.ok(performance.now() < deadline, `the origin was still at work ${FREED_WITHIN_MS} ms later`);
    await sleep(10);
  }
}

async function listRequests(sim: Sim): Promise<RecordedRequest[]> {
  const response = await fetch(`${sim.url}/sim/requests`);
  const records: RecordedRequest[] = JSON.parse(await response.text());
  return records;
}
