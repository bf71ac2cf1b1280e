/** Bodies that are wrong a million times over are told so once, as bad input and not as a failure of ours. */
import { expect, test } from "vitest";
import { GatewayError } from "../../../../src/core/errors.ts";
import { readRequest } from "../../../support/chat-replay.ts";

const MILLION = 1_000_000;
const user = '{"role":"user","content":"x"}';
const many = (element: string): string => `[${Array.from({ length: MILLION }, () => element).join(",")}]`;

function refusal(body: string): unknown {
  try {
    return readRequest(body).model;
  } catch (thrown) {
    if (thrown instanceof GatewayError) return [thrown.code, thrown.param];
    throw thrown;
  }
}

test.for([
  ["messages that are numbers", `{"messages":${many("1")}}`, "messages[0]"],
  ["messages without a role", `{"messages":${many("{}")}}`, "messages[0].role"],
  ["empty stops", `{"messages":[${user}],"stop":${many('""')}}`, "stop[0]"],
  ["tools that are numbers", `{"messages":[${user}],"tools":${many("1")}}`, "tools[0]"],
  ["parts that are numbers", `{"messages":[{"role":"user","content":${many("1")}}]}`, "messages[0].content[0]"],
])("%s", ([, body = "", param]) => {
  expect(refusal(body)).toEqual(["invalid_request", param]);
});
