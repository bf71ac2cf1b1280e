/** `docs/clients.md`: what it shows is run as it stands there. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchOf } from "./support/browser.ts";
import { block, BLOCKS, tested } from "./support/page.ts";
import { openStage, type Stage } from "./support/stage.ts";

const KEY = "sk-a-key-of-the-page";

/** Of the page's own `CORS_ALLOW_ORIGINS`. */
const PAGE = "https://app.example.com";

const SCRIPTS = ["anthropic", "ai-anthropic", "langchain-anthropic", "openai", "ai", "langchain"];

let stage: Stage;

beforeAll(async () => {
  const hash = createHash("sha256").update(KEY).digest("hex");
  stage = await openStage({
    ALLOW_ANONYMOUS: "false",
    API_KEYS: { [hash]: { name: "page" } },
    CORS_ALLOW_ORIGINS: block("page-origins", "", KEY),
  });
});

afterAll(() => stage[Symbol.asyncDispose]());

it("has no block that no test runs", () => {
  // The first two are claude-code.test.ts's, and open-webui is open-webui.test.ts's.
  const inPages = ["open-webui", "page-origins", "fetch"];
  const ours = ["models", "claude-code", ...SCRIPTS, ...inPages, "curl-chat", "curl-messages", "curl-count"];
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

describe("fetch, in a page", () => {
  it("prints the answer, after a preflight", async () => {
    expect(await run(inPage(block("fetch", stage.url, KEY)))).toBe(`${await answer()}\n`);
  });

  it("tells what was wrong, before the head and in the stream", async () => {
    const refused = run(inPage(block("fetch", stage.url, "sk-wrong")));
    await expect(refused).rejects.toThrow("Error: The API key is not valid here");
    const broken = run(inPage(block("fetch", stage.url, KEY).replace("sim/chat", "sim/eof-mid")));
    await expect(broken).rejects.toThrow("Error: The origin's stream ended before the answer was complete.");
  });

  it("frees the origin when the loop is left", async () => {
    const slow = "sim/chat?words=400&pace_ms=20";
    const left = block("fetch", stage.url, KEY)
      .replace("sim/chat", slow)
      .replace("answer += piece;", "if (piece) break;");
    // It goes on living, so that its end is not what closes the connection.
    const alive = `${left}\nsetInterval(() => {}, 60_000);`;
    const end = new AbortController();
    const running = run(inPage(alive), end.signal);
    expect((await stage.closed(slow)).frames).toBeLessThan(300);
    end.abort();
    await expect(running).rejects.toThrow("aborted");
  });

  it("is refused by the browser of a page that is not listed", async () => {
    const unlisted = run(inPage(block("fetch", stage.url, KEY), "https://other.example.com"));
    await expect(unlisted).rejects.toThrow("TypeError: Failed to fetch: the preflight is answered 405");
    const simple = fetchOf("https://other.example.com")(`${stage.url}/health`);
    await expect(simple).rejects.toThrow("Failed to fetch: the answer may not be read");
  });
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

/** The lines of the page where `fetch` is a browser's. */
function inPage(script: string, origin = PAGE): string {
  return `import { fetchOf } from "./support/browser.ts";\nconst fetch = fetchOf("${origin}");\n${script}`;
}

/** Runs a script of the page beside this file, where its packages are, and returns what it prints. */
async function run(script: string, signal?: AbortSignal): Promise<string> {
  const running = promisify(execFile)(process.execPath, ["--input-type=module-typescript"], {
    cwd: import.meta.dirname,
    timeout: 15_000,
    ...(signal && { signal }),
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
