/** What `npm start` says when everything is up. */
import { styleText } from "node:util";

export interface Greeting {
  /** Where the gateway is, without a trailing slash. */
  readonly url: string;
  /** Whether the origin is the simulated one. */
  readonly simulated: boolean;
  readonly origins: readonly string[];
  readonly models: readonly string[];
  /** Whether the origin answers our key, or that there is none, with 401. */
  readonly refused: boolean;
  /** `ORIGINS` as the environment has it, which ends with the command; nothing where it stands in `.dev.vars`. */
  readonly typed: string | undefined;
  readonly door: "open" | "keys" | "shut";
  /** Why the gateway cannot serve as things are, in its own words. */
  readonly problem: string | undefined;
}

const SIMULATED_MODELS = [
  "sim/chat                   readable prose; calls the tools it is given",
  "sim/chat-rust              the same in the other dialect of vLLM (-rust after any name)",
  "sim/say                    says your last message",
  "sim/chat?prefill_ms=12000  thinks before it speaks: watch the keep-alives",
  "sim/reset-mid, sim/stall   dies, or falls silent, in the middle: sim/ and a fault's name",
];

const REAL = 'ORIGINS=\'[{"url":"http://HOST:8000"}]\' ALLOW_ANONYMOUS=true npm start';

/** Returns the text, of whole lines. */
export function greet(greeting: Greeting): string {
  const { url, problem, simulated, origins } = greeting;
  const where = simulated ? `simulated, in this process, on ${origins.join(", ")}` : origins.join(", ");
  return [
    "",
    ...(problem === undefined
      ? [`Sluice is ready on ${styleText("bold", url)}`]
      : [`Sluice runs on ${styleText("bold", url)}, but cannot serve yet:`, "", `  ${styleText("red", problem)}`]),
    "",
    `  origin   ${where || "none that can be read"}`,
    ...(simulated ? [`           a real vLLM instead: ${REAL}`] : []),
    ...(greeting.refused ? ["           the origin refuses the gateway's key: set ORIGIN_API_KEY"] : []),
    // With a setting that is wrong nobody comes as far as the door.
    ...(problem === undefined ? door(greeting) : []),
    ...models(greeting),
    ...(problem === undefined ? ["", ...curl(greeting)] : []),
    "",
    "Ctrl-C ends all of it. One line for each request:",
    "",
  ].join("\n");
}

function door({ door: state, simulated, typed }: Greeting): string[] {
  if (state === "keys") return ["  door     open to the keys in API_KEYS (below, KEY is one of them)"];
  if (state === "open" && simulated) return ["  door     open to everyone, because the origin is simulated"];
  if (state === "open") return ["  door     open to everyone who reaches this address (ALLOW_ANONYMOUS)"];
  const origins = typed === undefined ? "" : `ORIGINS=${quote(typed)} `;
  return [
    "  door     shut: every request is refused with 401. To open it for a key of yours:",
    "",
    `             export KEY=sk-$(node -p 'require("crypto").randomBytes(24).toString("hex")')`,
    `             export HASH=$(node -p 'require("crypto").createHash("sha256").update(process.env.KEY).digest("hex")')`,
    `             export API_KEYS="{\\"$HASH\\":{\\"name\\":\\"me\\"}}"`,
    `             echo "$KEY"`,
    `             ${origins}npm start`,
    "",
    `           or, on this machine only, for everyone: ${origins}ALLOW_ANONYMOUS=true npm start`,
    ...(typed === undefined
      ? []
      : ["           (say again what else stood before npm start, or keep it in .dev.vars, one NAME=value a line)"]),
    "",
  ];
}

function models({ models: names, simulated, origins, refused }: Greeting): string[] {
  if (simulated) return SIMULATED_MODELS.map((line, at) => `  ${at === 0 ? "models" : "      "}   ${line}`);
  if (names.length > 0) return [`  models   ${names.join(", ")}`];
  // Why they are not known has been said.
  if (refused || origins.length === 0) return ["  models   unknown"];
  return ["  models   unknown: the origin does not list them at the moment"];
}

function curl({ url, models: names, simulated, door: state }: Greeting): string[] {
  const body = JSON.stringify({
    model: simulated ? "sim/chat" : (names[0] ?? "MODEL"),
    stream: true,
    messages: [{ role: "user", content: "What does a sluice do?" }],
  });
  return [
    state === "open" ? "Try it:" : "Try it from another terminal, after KEY=sk-… with the key itself:",
    "",
    `  curl -N ${url}/v1/chat/completions \\`,
    ...(state === "open" ? [] : [`    -H "authorization: Bearer $KEY" \\`]),
    "    -H 'content-type: application/json' \\",
    `    -d ${quote(body)}`,
  ];
}

/** As one word for a shell, whose single quotes know no escape. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
