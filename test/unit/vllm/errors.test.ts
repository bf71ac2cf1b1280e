import { describe, expect, test } from "vitest";
import { readErrorChunk, readErrorResponse } from "../../../src/vllm/errors.ts";

const TRACE = '{"error":{"message":"Traceback (most recent call last):\\n  File \\"/opt/vllm/engine.py\\", line 3"}}';
const HTML = "<html><body><h1>502 Bad Gateway</h1>nginx/1.25.3 at 10.0.0.7</body></html>";

describe("the status of an answer", () => {
  test.each([
    [301, "origin_protocol", 502, "The origin answered with a redirect, which is not followed."],
    [307, "origin_protocol", 502, "The origin answered with a redirect, which is not followed."],
    [400, "invalid_request", 400, "The request is not valid."],
    [401, "origin_auth", 502, "The origin did not accept the gateway's own credentials."],
    [402, "invalid_request", 400, "The request is not valid."],
    [403, "origin_auth", 502, "The origin did not accept the gateway's own credentials."],
    [404, "not_supported_by_origin", 501, "The origin does not support this operation."],
    [405, "not_supported_by_origin", 501, "The origin does not support this operation."],
    [408, "origin_timeout", 504, "The origin did not answer in time."],
    [409, "invalid_request", 400, "The request is not valid."],
    [413, "request_too_large", 413, "The request is larger than the origin accepts."],
    [415, "invalid_request", 400, "The request is not valid."],
    [422, "invalid_request", 422, "The request is not valid."],
    [429, "rate_limited", 429, "The origin is receiving too many requests. Try again later."],
    [499, "invalid_request", 400, "The request is not valid."],
    [500, "origin_error", 500, "The origin failed while it worked on this request."],
    [501, "not_supported_by_origin", 501, "The origin does not support this operation."],
    [502, "origin_error", 502, "The origin failed while it worked on this request."],
    [503, "origin_unavailable", 503, "The origin cannot take this request now. Try again later."],
    [504, "origin_timeout", 504, "The origin did not answer in time."],
    [505, "origin_error", 502, "The origin failed while it worked on this request."],
    [520, "origin_unreachable", 502, "The origin could not be reached."],
    [521, "origin_unreachable", 502, "The origin could not be reached."],
    [522, "origin_unreachable", 502, "The origin could not be reached."],
    [523, "origin_unreachable", 502, "The origin could not be reached."],
    [524, "origin_timeout", 504, "The origin did not answer in time."],
    [525, "origin_unreachable", 502, "The origin could not be reached."],
    [526, "origin_unreachable", 502, "The origin could not be reached."],
    [527, "origin_error", 502, "The origin failed while it worked on this request."],
    [530, "origin_unreachable", 502, "The origin could not be reached."],
    [599, "origin_error", 502, "The origin failed while it worked on this request."],
  ])("%i is %s, whatever stands in the body", (status, code, shown, message) => {
    for (const body of ["", HTML, TRACE, "[]", "[1]", "null", "7", "{}", '{"error":null}', '{"error":[]}', "\u0000"]) {
      const error = readErrorResponse({ status, body });
      expect({ code: error.code, status: error.status, param: error.param, cause: error.cause }).toEqual({
        code,
        status: shown,
        param: undefined,
        cause: `HTTP ${status}`,
      });
      if (body !== "\u0000") expect(error.message).toBe(message);
    }
  });

  test("429 and 503 hand on when to come again, and 503 says a second where the origin does not", () => {
    expect(readErrorResponse({ status: 429, body: "", retryAfterMs: 7000 }).retryAfterMs).toBe(7000);
    expect(readErrorResponse({ status: 429, body: "" }).retryAfterMs).toBeUndefined();
    expect(readErrorResponse({ status: 503, body: "", retryAfterMs: 7000 }).retryAfterMs).toBe(7000);
    expect(readErrorResponse({ status: 503, body: "" }).retryAfterMs).toBe(1000);
    expect(readErrorResponse({ status: 500, body: "", retryAfterMs: 7000 }).retryAfterMs).toBeUndefined();
  });

  test("403 names the switch that the origin lacks", () => {
    const body =
      '{"error":{"message":"Scale-out APIs are disabled. Start the server with --enable-scale-out.","code":403}}';
    const error = readErrorResponse({ status: 403, body });
    expect(error.code).toBe("not_supported_by_origin");
    expect(error.status).toBe(501);
    expect(error.message).toBe(
      "The origin does not support this operation. vLLM's switch --enable-scale-out turns it on.",
    );
    expect(readErrorResponse({ status: 403, body: "needs --some-new-thing" }).message).toBe(
      "The origin does not support this operation. vLLM's switch --some-new-thing turns it on.",
    );
    expect(readErrorResponse({ status: 403, body: '{"error":"Forbidden"}' }).code).toBe("origin_auth");
  });
});

describe("404", () => {
  test.each([
    ['{"error":{"message":"x","param":"model"}}', "The model does not exist."],
    ['{"error":{"message":"x","code":"model_not_found"}}', "The model does not exist."],
    ['{"object":"error","message":"The model `a` does not exist.","code":404}', "The model `a` does not exist."],
    ['{"error":{"message":"The model `a.b` does not exist. Valid aliases: c, d."}}', "The model `a.b` does not exist."],
    ['{"error":{"message":"The model `/srv/m` does not exist."}}', "The model does not exist."],
    ['{"error":{"message":"The model `s3://bucket/m` does not exist."}}', "The model does not exist."],
  ])("%s is a model", (body, message) => {
    const error = readErrorResponse({ status: 404, body });
    expect([error.code, error.status, error.param, error.message]).toEqual(["model_not_found", 404, "model", message]);
  });

  test.each(["", '{"detail":"Not Found"}', HTML, '{"error":{"message":"Response with id x not found."}}'])(
    "%j is an operation",
    (body) => expect(readErrorResponse({ status: 404, body }).code).toBe("not_supported_by_origin"),
  );
});

describe("shapes of a body", () => {
  test.each([
    ['{"error":"n must be at least 1"}', "n must be at least 1", "n"],
    ["stop cannot contain an empty string.", "stop cannot contain an empty string.", "stop"],
    ['"plain words"', "plain words", undefined],
    [
      '{"object":"error","message":"Bad thing.","type":"BadRequestError","param":"seed","code":400}',
      "Bad thing.",
      "seed",
    ],
    [
      '{"detail":[{"type":"missing","loc":["body","messages"],"msg":"Field required"}]}',
      '"messages" is required.',
      "messages",
    ],
    ['{"detail":"Not Acceptable"}', "Not Acceptable", undefined],
    ['{"type":"error","error":{"type":"BadRequestError","message":"Bad thing."}}', "Bad thing.", undefined],
    ['{"error":{"message":{"a":1},"param":7,"code":{}}}', "The request is not valid.", undefined],
  ])("%s", (body, message, param) => {
    const error = readErrorResponse({ status: 400, body });
    expect([error.code, error.message, error.param]).toEqual(["invalid_request", message, param]);
  });
});

describe("the status inside an error event", () => {
  test.each([
    [{ code: 400 }, "invalid_request", 400],
    [{ code: "400" }, "invalid_request", 400],
    [{ code: 422 }, "invalid_request", 422],
    [{ code: 404, param: "model" }, "model_not_found", 404],
    [{ code: "503" }, "origin_unavailable", 503],
    [{ code: 500, type: "BadRequestError" }, "origin_error", 500],
    [{ code: "server_error" }, "origin_error", 500],
    [{ code: "model_not_found" }, "model_not_found", 404],
    [{ code: "invalid_request_error" }, "invalid_request", 400],
    [{ code: "json_parse_error" }, "invalid_request", 400],
    [{ code: null, type: "BadRequestError" }, "invalid_request", 400],
    [{ code: null, type: "invalid_request_error" }, "invalid_request", 400],
    [{ code: null, type: "InternalServerError" }, "origin_error", 500],
    [{ code: null, type: "server_error" }, "origin_error", 500],
    [{ type: "Service Unavailable" }, "origin_unavailable", 503],
    [{ code: "", type: "NotImplementedError" }, "not_supported_by_origin", 501],
    [{ code: 200, type: "BadRequestError" }, "invalid_request", 400],
    [{ code: 0 }, "origin_error", 500],
    [{ code: null }, "origin_error", 500],
    [{}, "origin_error", 500],
    ["it broke", "origin_error", 500],
    [null, "origin_error", 500],
    [undefined, "origin_error", 500],
    [[1], "origin_error", 500],
    [42, "origin_error", 500],
  ])("%j is %s", (event, code, status) => {
    const error = readErrorChunk(event);
    expect([error.code, error.status]).toEqual([code, status]);
  });

  test("the log learns the status and no word of the origin", () => {
    expect(readErrorChunk({ message: "secret", code: "secret_code" }).cause).toBe("error event 400");
    expect(readErrorChunk("secret").cause).toBe("error event 500");
  });
});
