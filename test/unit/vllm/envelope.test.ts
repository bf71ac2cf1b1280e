/** One id, one time and one name of the model for a whole stream. */
import { describe, expect, test } from "vitest";
import { openAIEnvelope } from "../../../src/vllm/envelope.ts";
import { chatRepair } from "../../support/chat-machines.ts";

const ENVELOPE = { id: "c", object: "chat.completion.chunk", created: 5, model: "m" };

const role = () => ({ choices: [{ index: 0, delta: { role: "assistant", content: "" } }] });
const text = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });

/** Returns the envelopes of all that becomes of `chunks` and a terminator. */
function envelopes(chunks: readonly object[], model: string | undefined): unknown[] {
  const envelope = openAIEnvelope({ object: "chat.completion.chunk", id: "ours", model, created: 9 });
  const repair = chatRepair({ envelope });
  const outputs = [
    ...chunks.flatMap((json) => repair.push({ json: { ...json }, bytes: undefined })),
    ...repair.terminate(),
  ];
  return outputs.map((output) => {
    if (!("json" in output)) return output.code;
    const { id, object, created, model: named } = output.json;
    return [id, object, created, named];
  });
}

describe("the envelope", () => {
  const right = ["c", "chat.completion.chunk", 5, "m"];

  test.each([
    [
      "is the first chunk's",
      [
        { ...ENVELOPE, ...role() },
        { ...ENVELOPE, id: "d", created: 6, ...text("a") },
      ],
      right,
    ],
    ["is on chunks that lack it", [{ ...ENVELOPE, ...role() }, text("a")], right],
    ["names the model as the client does", [{ ...ENVELOPE, model: "theirs", ...role() }, text("a")], right],
    ["is ours where there is none", [role(), { ...ENVELOPE, ...text("a") }], ["ours", "chat.completion.chunk", 9, "m"]],
    [
      "is ours where it is no text and no number",
      [{ id: 5, created: "now", ...role() }, text("a")],
      ["ours", "chat.completion.chunk", 9, "m"],
    ],
  ])("%s", (_, chunks, all) => {
    expect(envelopes(chunks, "m")).toEqual([all, all, all]);
  });

  test("names the model as the origin does where the client named none", () => {
    expect(
      envelopes(
        [
          { ...ENVELOPE, ...role() },
          { ...text("a"), model: "n" },
        ],
        undefined,
      ),
    ).toEqual([right, right, right]);
    expect(envelopes([role()], undefined)[0]).toEqual(["ours", "chat.completion.chunk", 9, ""]);
  });
});
