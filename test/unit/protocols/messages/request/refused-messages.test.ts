/** Which messages are refused, for an answer and a count alike. */
import { expect, test } from "vitest";
import { refusalOf, type Row } from "./translate.ts";

const said = (...content: unknown[]) => ({ messages: [{ role: "user", content }] });
const answered = (...content: unknown[]) => ({
  messages: [
    { role: "assistant", content },
    { role: "user", content: "x" },
  ],
});
const image = (source: unknown) => said({ type: "image", source });
const document = (source: unknown) => said({ type: "document", source });

const rows: Row[] = [
  [{ messages: ["x"] }, "messages[0]", '"messages[0]" must be an object with a role and content.'],
  [{ messages: [{ content: "x" }] }, "messages[0].role", '"messages[0].role" must be "user", "assistant" or "system".'],
  [
    { messages: [{ role: "user" }] },
    "messages[0].content",
    '"messages[0].content" must be a string or a list of content blocks.',
  ],
  [{ messages: [{ role: "system", content: "" }] }, "messages", '"messages" must say something.'],
  [said("x"), "messages[0].content[0]", '"messages[0].content[0]" must be a content block.'],
  [said({}), "messages[0].content[0].type", '"messages[0].content[0].type" must be a string that is not empty.'],
  [
    said({ type: "video" }),
    "messages[0].content[0].type",
    '"messages[0].content[0].type" must not be "video" in a message of the user.',
  ],
  [
    said({ type: "tool_use" }),
    "messages[0].content[0].type",
    '"messages[0].content[0].type" must not be "tool_use" in a message of the user.',
  ],
  [
    answered({ type: "tool_result" }),
    "messages[0].content[0].type",
    '"messages[0].content[0].type" must not be "tool_result" in a message of the assistant.',
  ],
  [said({ type: "text", text: 5 }), "messages[0].content[0].text", '"messages[0].content[0].text" must be a string.'],
  [said({ type: "image" }), "messages[0].content[0].source", '"messages[0].content[0].source" must be an object.'],
  [
    image({ type: "file", file_id: "f" }),
    "messages[0].content[0].source",
    '"messages[0].content[0].source" must be base64 or a URL: there are no uploaded files here.',
  ],
  [
    image({ type: "x" }),
    "messages[0].content[0].source.type",
    '"messages[0].content[0].source.type" must be "base64" or "url".',
  ],
  [
    image({ type: "base64", media_type: "image/png;x", data: "a" }),
    "messages[0].content[0].source.media_type",
    '"messages[0].content[0].source.media_type" must be the type of an image, such as "image/png".',
  ],
  [
    image({ type: "base64", media_type: "image/png", data: "" }),
    "messages[0].content[0].source.data",
    '"messages[0].content[0].source.data" must be a string that is not empty.',
  ],
  ...["base64", "url", "file"].map((type): Row => [
    document({ type, media_type: "application/pdf", data: "JVBE" }),
    "messages[0].content[0].source",
    '"messages[0].content[0].source" must be text: a PDF, a URL or a file cannot be read here.',
  ]),
  [
    document({ type: "content", content: [{ type: "document" }] }),
    "messages[0].content[0].source.content[0].type",
    '"messages[0].content[0].source.content[0].type" must not be "document" in a document.',
  ],
  [
    answered({ type: "tool_use", id: "a", name: "f", input: "{}" }),
    "messages[0].content[0].input",
    '"messages[0].content[0].input" must be an object.',
  ],
  [
    said({ type: "tool_result", content: "x" }),
    "messages[0].content[0].tool_use_id",
    '"messages[0].content[0].tool_use_id" must be a string that is not empty.',
  ],
  [
    said({ type: "tool_result", tool_use_id: "a", content: [{ type: "thinking" }] }),
    "messages[0].content[0].content[0].type",
    '"messages[0].content[0].content[0].type" must not be "thinking" in a tool_result.',
  ],
  [
    said({ type: "tool_result", tool_use_id: "a", is_error: "yes" }),
    "messages[0].content[0].is_error",
    '"messages[0].content[0].is_error" must be true or false.',
  ],
  [
    { messages: [{ role: "assistant", content: [{ type: "tool_use", id: "a", name: "f" }] }] },
    "messages[0].content",
    '"messages[0].content" has a tool_use without its tool_result after it.',
  ],
  [
    { messages: [{ role: "assistant", content: [{ type: "thinking", thinking: "hm" }] }] },
    "messages[0].content",
    '"messages[0].content" must not be thinking alone in the last message.',
  ],
];

test.each(rows)("%j", (request, param, sentence) => {
  expect(refusalOf(request)).toEqual(["invalid_request", param, sentence]);
  expect(refusalOf(request, true)).toEqual(["invalid_request", param, sentence]);
});
