/** The exact JSON of a model and of the list of models: all that OpenAI's, Anthropic's and vLLM's readers look for. */
import { expect, test } from "vitest";
import { writeModel, writeModelList } from "../../../src/protocols/model-card.ts";

const X =
  '{"id":"org/x","object":"model","created":1795968808,"owned_by":"vllm","max_model_len":2048,"type":"model","display_name":"org/x","created_at":"2026-11-29T16:13:28.000Z","max_input_tokens":2048,"max_tokens":2048,"capabilities":null,"lifecycle":"active","line":null,"deprecated_at":null,"retires_at":null}';
const Y =
  '{"id":"y","object":"model","created":0,"owned_by":"vllm","max_model_len":null,"type":"model","display_name":"y","created_at":"1970-01-01T00:00:00.000Z","max_input_tokens":null,"max_tokens":null,"capabilities":null,"lifecycle":"active","line":null,"deprecated_at":null,"retires_at":null}';

const x = { id: "org/x", created: 1_795_968_808, maxModelLen: 2048 };
const y = { id: "y", created: 0, maxModelLen: undefined };

test("a model", () => {
  expect(JSON.stringify(writeModel(x))).toBe(X);
  expect(JSON.stringify(writeModel(y))).toBe(Y);
});

test("the last second that a date can hold", () => {
  expect(writeModel({ ...y, created: 8_640_000_000_000 })).toMatchObject({ created_at: "+275760-09-13T00:00:00.000Z" });
});

test("a list of models, all on one page", () => {
  expect(writeModelList([x, y])).toBe(
    `{"object":"list","data":[${X},${Y}],"has_more":false,"first_id":"org/x","last_id":"y","models":[]}`,
  );
  expect(writeModelList([])).toBe(
    '{"object":"list","data":[],"has_more":false,"first_id":null,"last_id":null,"models":[]}',
  );
});
