/** Whether a gateway answers at an address, and as which version. */
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_AGAIN_MS = 1_000;
const ANSWER_WITHIN_MS = 10_000;

/**
 * Waits until `GET /health` of `url` is 200 and, where `commit` is given, tells it: a new version takes a moment to be
 * everywhere. `onWait` hears once why it is not so yet. Returns what it said last when that is not so within `withinMs`, nothing when it is.
 */
export async function waitForAnswer(
  url: string,
  commit: string | undefined,
  withinMs: number,
  onWait: (said: string) => void,
): Promise<string | undefined> {
  const deadline = performance.now() + withinMs;
  for (let looks = 1; ; looks += 1) {
    const said = await look(url, commit);
    if (said === undefined || performance.now() >= deadline) return said;
    if (looks === 1) onWait(said);
    await sleep(LOOK_AGAIN_MS);
  }
}

async function look(url: string, commit: string | undefined): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/health`, {
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await response.text();
    if (response.status !== 200) return `GET /health answers ${response.status}: ${text.slice(0, 300)}`;
    const said: unknown = Reflect.get(Object(JSON.parse(text)), "commit");
    if (commit === undefined || said === commit) return undefined;
    return `GET /health tells the commit ${String(said)}, not ${commit}: another version answers.`;
  } catch (thrown) {
    return `GET /health fails: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}
