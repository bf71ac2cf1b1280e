import * as fc from "fast-check";
import { expect, test } from "vitest";
import { randomPieces, seededRandom } from "../../support/random.ts";
import { parsePieces, utf8 } from "../../support/sse.ts";

const text = fc.string({ unit: "binary", maxLength: 12 }).map((raw) => raw.replace(/[\r\n]/g, " "));
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const otherLine = fc.oneof(
  text.map((comment) => `:${comment}`),
  text.map((id) => `id: ${id}`),
  fc.constantFrom("event: message", "event", "retry: 10", "foo: bar", "dat", "data2: x"),
);

/** A line of data with what it says, in one of its spellings. */
const dataLine = fc.tuple(text, fc.boolean()).map(([said, withSpace]) => ({
  said,
  line: withSpace || said.startsWith(" ") ? `data: ${said}` : `data:${said}`,
}));

const record = fc
  .record({
    before: fc.array(otherLine, { maxLength: 2 }),
    data: fc.array(dataLine, { minLength: 1, maxLength: 3 }).filter((lines) => lines.some(({ said }) => said !== "")),
    after: fc.array(otherLine, { maxLength: 2 }),
    ends: fc.array(lineEnd, { minLength: 8, maxLength: 8 }),
  })
  .map(({ before, data, after, ends }) => {
    const lines = [...before, ...data.map(({ line }) => line), ...after];
    const body = lines.map((line, index) => line + (ends[index] ?? "\n")).join("");
    const blank = ends.at(-1) ?? "\n";
    // After a CR, an LF would not be a blank line but the rest of the line end.
    return {
      data: data.map(({ said }) => said).join("\n"),
      wire: body + (body.endsWith("\r") && blank === "\n" ? "\r\n" : blank),
    };
  });

/** Records that say nothing. */
const filler = fc.oneof(
  otherLine.map((line) => ({ data: undefined, wire: `${line}\n\n` })),
  fc.constantFrom("\n", "\r\n", "data\n\n", "data:\r\r").map((wire) => ({ data: undefined, wire })),
);

const stream = fc.array(fc.oneof({ weight: 3, arbitrary: record }, filler), { maxLength: 8 });

test("any records in any legal spelling, cut anywhere, say what they said", () => {
  fc.assert(
    fc.property(stream, fc.boolean(), fc.integer(), (records, withBom, seed) => {
      const wire = (withBom ? "\uFEFF" : "") + records.map((each) => each.wire).join("");
      const frames = parsePieces(randomPieces(utf8(wire), seededRandom(seed), 9));
      const said = records.flatMap(({ data }) => (data === undefined ? [] : [{ data, unterminated: undefined }]));
      expect(frames.map((frame) => ({ unterminated: undefined, ...frame, bytes: undefined }))).toEqual(
        said.map((frame) => ({ ...frame, bytes: undefined })),
      );
    }),
    { numRuns: 1_000 },
  );
});

test("any bytes whatever, cut anywhere, give the frames that they give whole", () => {
  const noise = fc
    .array(fc.constantFrom("data: ", "data", ":", "\n", "\r", "\n\n", "\r\r", "\uFEFF", "é", "x", " "), {
      maxLength: 40,
    })
    .map((tokens) => utf8(tokens.join("")));
  fc.assert(
    fc.property(noise, fc.integer(), fc.integer({ min: 4, max: 60 }), (bytes, seed, limit) => {
      const pieces = randomPieces(bytes, seededRandom(seed), 5);
      expect(parsePieces(pieces, limit)).toEqual(parsePieces([bytes], limit));
    }),
    { numRuns: 2_000 },
  );
});

test("a plain record's frame carries exactly the bytes that came", () => {
  fc.assert(
    fc.property(
      fc.array(
        text.filter((said) => said !== ""),
        { maxLength: 6 },
      ),
      fc.integer(),
      (lines, seed) => {
        const wire = lines.map((said) => `data: ${said}\n\n`);
        const frames = parsePieces(randomPieces(utf8(wire.join("")), seededRandom(seed), 9));
        expect(frames).toEqual(lines.map((data, index) => ({ data, bytes: wire[index] })));
      },
    ),
    { numRuns: 500 },
  );
});
