/** `docs/errors.md`, from the closed list of codes. */
import { ERROR_KINDS } from "../../src/core/errors.ts";
import { ERROR_TEXTS } from "./error-texts.ts";
import { writeTable } from "./table.ts";

const INTRODUCTION = `# Errors

<!-- Made by \`npm run docs\` from src/core/errors.ts and scripts/docs/error-texts.ts. -->

An error has one of the codes below, whatever the origin's own words for it were. Before the head it is an HTTP response
with the status here; after it, a record in the stream with the same body, and then \`[DONE]\`.

\`\`\`json
{ "error": { "message": "…", "type": "invalid_request_error", "param": "messages", "code": "invalid_request" } }
\`\`\`

In Messages it has Anthropic's shape, which has no codes but a \`type\` for each status; in a stream it is an \`error\` event,
and the last one. The log tells the code there too.

4xx is the client's to mend, 5xx ours or the origin's. An origin may be more exact about a status than this list; the code
is what to go by. \`x-should-retry\` says whether the same request may succeed when it is sent again, \`retry-after\` and
\`retry-after-ms\` when. \`x-request-id\` and \`request-id\` are the id under which the request is in the log
([Watch it](watch.md#following-one-request)).`;

/** Returns the whole page. */
export function writeErrors(): string {
  const kinds: readonly (readonly [string, { readonly status: number; readonly retry: boolean }])[] =
    Object.entries(ERROR_KINDS);
  const texts = new Map(Object.entries(ERROR_TEXTS));
  const rows = kinds.map(([code, { status, retry }]) => {
    const { cause, remedy } = texts.get(code) ?? { cause: "", remedy: "" };
    return [`\`${code}\``, String(status), retry ? "yes" : "no", cause, remedy];
  });
  return `${[INTRODUCTION, writeTable(["code", "status", "retry", "cause", "what to do"], rows)].join("\n\n")}\n`;
}
