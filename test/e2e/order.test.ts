/** Streaming, proven by order: what the client holds before the origin may go on, and not how long anything took. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatRequest, DONE, FINISH, KEEPALIVE, ROLE, USAGE, wordFrame } from "../support/chat-frames.ts";
import { send, type Client } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const FIRST = wordFrame("one");
const SECOND = wordFrame("two");
const WITH_USAGE = { stream_options: { include_usage: true } };

let origin: Origin;
let patient: Worker;
let hasty: Worker;

beforeAll(async () => {
  origin = await startOrigin();
  [patient, hasty] = await Promise.all([
    startWorker({ ORIGINS: [{ url: origin.url }], HOLD_MS: 60_000, KEEPALIVE_MS: 60_000 }),
    startWorker({ ORIGINS: [{ url: origin.url }], HOLD_MS: 1_000, KEEPALIVE_MS: 200 }),
  ]);
});

afterAll(async () => {
  await Promise.all([patient.close(), hasty.close()]);
  await origin.close();
});

function ask(worker: Worker, mark: string, fields: object = {}): Promise<Client> {
  return send(worker.port, { body: chatRequest(mark, { stream: true, ...fields }) });
}

describe("a stream on its way", () => {
  it("brings each frame to the client before the origin sends the next", async () => {
    using client = await ask(patient, "frame-by-frame", WITH_USAGE);
    const request = await origin.request("frame-by-frame");
    await request.write(ROLE);
    await request.write(FIRST);
    expect(await client.until(FIRST)).toBe(ROLE + FIRST);
    await request.write(SECOND);
    expect(await client.until(SECOND)).toBe(ROLE + FIRST + SECOND);
    await request.write(FINISH);
    expect(await client.until(FINISH)).toBe(ROLE + FIRST + SECOND + FINISH);
    await request.write(USAGE);
    expect(await client.until(USAGE)).toBe(ROLE + FIRST + SECOND + FINISH + USAGE);
    request.end(DONE);
    expect(await client.text()).toBe(ROLE + FIRST + SECOND + FINISH + USAGE + DONE);
    expect(await request.closed).toBe("finished");
  });

  it("keeps the finish back until the usage that the client did not ask for, and no longer", async () => {
    using client = await ask(patient, "finish-then-usage");
    const request = await origin.request("finish-then-usage");
    await request.write(ROLE + FIRST);
    await client.until(FIRST);
    await request.write(FINISH);
    await request.write(USAGE.replace("}}\n", '},"system_fingerprint":"fp"}\n'));
    // Had the finish gone out before, it could not carry what came after it.
    const finish = FINISH.replace("}]}\n", '}],"system_fingerprint":"fp"}\n');
    expect(await client.until('finish_reason":"stop')).toBe(ROLE + FIRST + finish);
    request.end(DONE);
    expect(await client.text()).toBe(ROLE + FIRST + finish + DONE);
  });

  it("sends head and keep-alives before the origin sends anything", async () => {
    using client = await ask(hasty, "nothing-yet");
    const request = await origin.request("nothing-yet");
    expect((await client.head()).status).toBe(200);
    expect(await client.until(KEEPALIVE + KEEPALIVE)).toBe(KEEPALIVE + KEEPALIVE);
    await request.write(ROLE + FIRST + FINISH);
    request.end(DONE);
    const body = await client.text();
    expect(body.replaceAll(KEEPALIVE, "")).toBe(ROLE + FIRST + FINISH + DONE);
  });

  it("keeps head and role back until the first word", async () => {
    using client = await ask(patient, "role-then-refused");
    const request = await origin.request("role-then-refused");
    await request.write(ROLE);
    await request.write(": still thinking\n\n");
    await request.write('data: {"error":{"message":"no","type":"BadRequestError","param":null,"code":400}}\n\n');
    // Had anything gone out before, the status could not be this one.
    expect((await client.head()).status).toBe(400);
  });

  it("lets the role go when the hold ends, and the keep-alive after it", async () => {
    using client = await ask(hasty, "role-then-nothing");
    const request = await origin.request("role-then-nothing");
    await request.write(ROLE);
    expect(await client.until(KEEPALIVE)).toBe(ROLE + KEEPALIVE);
    await request.write(FIRST);
    expect((await client.until(FIRST)).replaceAll(KEEPALIVE, "")).toBe(ROLE + FIRST);
  });

  it("answers with the origin's own bytes in one piece for each piece of the origin", async () => {
    using client = await ask(patient, "piece-by-piece", WITH_USAGE);
    const request = await origin.request("piece-by-piece");
    const pieces = client.pieces();
    for (const frame of [ROLE + FIRST, SECOND, FINISH + USAGE + DONE]) {
      await request.write(frame);
      const { value } = await pieces.next();
      expect(String(value)).toBe(frame);
    }
    request.end();
    expect((await pieces.next()).done).toBe(true);
  });
});
