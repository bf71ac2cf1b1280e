/**
 * `npm run smoke -- URL [--model MODEL] [--commit SHA] [--without-tools] [--within SECONDS]`: whether the gateway at URL
 * serves, seen from outside: it is up (as that commit), and the stops of the tour that need no simulated origin are as
 * they should be. The client's key comes in `SLUICE_API_KEY`. Exits with 1 when something is not so.
 */
import { parseArgs } from "node:util";
import { waitForAnswer } from "./deploy/answers.ts";
import { runNode } from "./deploy/run.ts";
import { firstModel, readUrl } from "./deploy/smoke.ts";

try {
  process.exitCode = await smoke();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
}

async function smoke(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      model: { type: "string" },
      commit: { type: "string" },
      "without-tools": { type: "boolean", default: false },
      within: { type: "string", default: "60" },
    },
  });
  const url = readUrl(positionals[0]);
  const problem = await waitForAnswer(url, values.commit, Number(values.within) * 1_000, (said) =>
    console.log(`Waiting for ${url}, ${values.within} s at most. So far: ${said}`),
  );
  if (problem !== undefined) throw new Error(problem);
  const model = values.model ?? (await firstModel(url, process.env["SLUICE_API_KEY"]));
  const tools = values["without-tools"] ? ["--without-tools"] : [];
  return runNode("demo/main.ts", ["--url", url, "--model", model, ...tools]);
}
