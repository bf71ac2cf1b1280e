/** `docs/settings.md`, from the schema that the Worker itself reads its settings with. */
import * as z from "zod/mini";
import { DESCRIPTIONS, type Description } from "../../src/config/describe.ts";
import { settingsSchema } from "../../src/config/schema.ts";
import { writeTable } from "./table.ts";

const INTRODUCTION = `# Settings

<!-- Made by \`npm run docs\` from src/config/schema.ts and src/config/describe.ts. -->

A setting stands in \`[env.NAME.vars]\` of \`wrangler.toml\`, or among the secrets; for \`npm start\` in \`.dev.vars\` or in the
environment. Lists and tables may be TOML or JSON text, numbers and \`true\` or \`false\` may be text. An empty text is the
same as none.

A value that is wrong is never guessed at: every request is answered \`500 misconfigured\`, naming the setting. \`npm run
check-config -- --env NAME\` says the same before it is deployed, and what is valid but odd.

Secrets, here marked 🔒, are set as [Operations](operations.md#secrets-and-keys) says. All times are in milliseconds.`;

const defaults: Readonly<Record<string, unknown>> = z.parse(settingsSchema, { ORIGINS: [{ url: "https://a.test" }] });

type Entry = readonly [name: string, description: Description];

/** Returns the whole page. */
export function writeSettings(): string {
  const entries: readonly Entry[] = Object.entries(DESCRIPTIONS);
  const groups = [...new Set(entries.map(([, { group }]) => group))];
  const sections = groups.map((group) =>
    writeGroup(
      group,
      entries.filter(([, description]) => description.group === group),
    ),
  );
  return `${[INTRODUCTION, ...sections].join("\n\n")}\n`;
}

function writeGroup(group: string, entries: readonly Entry[]): string {
  const rows = entries.map(([name, description]) => [
    `\`${name}\`${description.secret ? " 🔒" : ""}`,
    writeDefault(name),
    description.form ?? formOf(name),
    description.meaning,
  ]);
  const table = writeTable(["setting", "default", "value", "meaning"], rows);
  return [`## ${group}`, table, ...entries.flatMap(writeDetails)].join("\n\n");
}

function writeDefault(name: string): string {
  if (name === "ORIGINS") return "required";
  const value = defaults[name];
  if (value === undefined) return "none";
  const mebibytes = name.endsWith("_BYTES") ? ` (${Number(value) / 1_048_576} MiB)` : "";
  return `\`${JSON.stringify(value)}\`${mebibytes}`;
}

/** What the schema itself says of a value that is none. */
function formOf(name: string): string {
  const schema: z.ZodMiniType | undefined = Reflect.get(settingsSchema.shape, name);
  const message = schema && z.safeParse(schema, " ").error?.issues[0]?.message;
  if (!message?.startsWith("must be ")) throw new Error(`${name} needs a form in src/config/describe.ts.`);
  return message.slice("must be ".length);
}

function writeDetails([name, { keys, example }]: Entry): string[] {
  const rows = Object.entries(keys ?? {}).map(([key, meaning]) => [`\`${key}\``, meaning]);
  return [
    ...(rows.length > 0 ? [`In \`${name}\`:`, writeTable(["key", "meaning"], rows)] : []),
    ...(rows.length === 0 && example !== undefined ? [`In \`${name}\`, for example:`] : []),
    ...(example === undefined ? [] : [`\`\`\`json\n${example}\n\`\`\``]),
  ];
}
