/** `docs/clients.md`: what it shows is run as it stands there. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { block, BLOCKS, tested } from "./support/page.ts";
import { openStage, type Stage } from "./support/stage.ts";

const KEY = "sk-a-key-of-the-page";

const SCRIPTS = ["anthropic", "ai-anthropic", "langchain-anthropic", "openai", "ai", "langchain"];

let stage: Stage;

beforeAll(async () => {
  const hash = createHash("sha256").update(KEY).digest("hex");
  stage = await openStage({ ALLOW_ANONYMOUS: "false", API_KEYS: { [hash]: { name: "page" } } });
});

afterAll(() => stage[Symbol.asyncDispose]());

it("has no block that no test runs", () => {
  // The first two are claude-code.test.ts's.
  const ours = ["models", "claude-code", ...SCRIPTS, "curl-chat", "curl-messages", "curl-count"];
  expect(BLOCKS).toEqual(ours);
});

it("names the versions that are installed", () => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(new URL("package.json", import.meta.url), "utf8"),
  );
  const installed = Object.entries(dependencies).map(([name, version]) => {
    const [, aliased = name, exact = version] = /^npm:(.+)@(.+)$/.exec(version) ?? [];
    return `${aliased} ${exact}`;
  });
  expect(new Set(tested())).toEqual(new Set(installed.filter((entry) => !/^(?:zod|@langchain\/core) /.test(entry))));
});

it.each(SCRIPTS)("%s prints the answer", async (name) => {
  const before = stage.asked("sim/chat").length;
  const said = await run(block(name, stage.url, KEY));
  expect(said).toContain(await answer());
  expect(stage.asked("sim/chat").length).toBe(before + 2);
  if (name === "anthropic") expect(said).toMatch(/\nend_turn, \d+ tokens\n$/);
});

it("curl-chat streams chunks", async () => {
  const { url, init } = readCurl(block("curl-chat", stage.url, KEY));
  const text = await (await fetch(url, init)).text();
  expect(text).toMatch(/^data: \{"id":"chatcmpl-.*\n\ndata: \[DONE\]\n\n$/s);
});

it("curl-messages streams events", async () => {
  const { url, init } = readCurl(block("curl-messages", stage.url, KEY));
  const text = await (await fetch(url, init)).text();
  expect(text).toMatch(/^event: message_start\n.*\n\nevent: message_stop\ndata: \{"type":"message_stop"\}\n\n$/s);
});

it("curl-count counts", async () => {
  const { url, init } = readCurl(block("curl-count", stage.url, KEY));
  expect(JSON.parse(await (await fetch(url, init)).text())).toEqual({ input_tokens: expect.any(Number) });
});

/** Returns what the model says to the page's question. */
async function answer(): Promise<string> {
  const response = await fetch(`${stage.baseURL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ model: "sim/chat", messages: [{ role: "user", content: "Tell me about rivers." }] }),
  });
  const { choices }: { choices: { message: { content: string } }[] } = JSON.parse(await response.text());
  const [first] = choices;
  if (!first) throw new Error("There is no answer.");
  return first.message.content;
}

/** Runs a script of the page beside this file, where its packages are, and returns what it prints. */
async function run(script: string): Promise<string> {
  const running = promisify(execFile)(process.execPath, ["--input-type=module-typescript"], {
    cwd: import.meta.dirname,
    timeout: 15_000,
  });
  running.child.stdin?.end(script);
  return (await running).stdout;
}

/** Reads a command of the page as a shell and curl would; throws for what it does not know. */
function readCurl(command: string): { url: string; init: RequestInit } {
  const words = [...command.replaceAll("\\\n", " ").matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  expect(words.shift()).toBe("curl");
  const headers = new Headers();
  const init: RequestInit = { headers };
  const urls: string[] = [];
  while (words.length > 0) {
    const word = words.shift() ?? "";
    if (word === "-N") continue;
    if (word === "-H") {
      const [name = "", value = ""] = (words.shift() ?? "").split(": ");
      headers.set(name, value);
    } else if (word === "-d") {
      init.method = "POST";
      init.body = words.shift() ?? "";
    } else if (word.startsWith("http")) urls.push(word);
    else throw new Error(`What is ${word}?`);
  }
  const [url, ...others] = urls;
  if (url === undefined || others.length > 0) throw new Error(`${urls.length} addresses: ${command}`);
  return { url, init };
}
