import type { Limits } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import { readText } from "../core/read-text.ts";

/**
 * Returns the request's body as text. Throws 415 for one that is not JSON by its type or is compressed, 413 past `maxBodyBytes` (at once when the length
 * is announced), 408 when it has not come whole within `bodyTimeoutMs`, 400 when it is not UTF-8 or was cut off.
 */
export async function readBody(
  request: Request,
  limits: Pick<Limits, "bodyTimeoutMs" | "maxBodyBytes">,
  clock: Clock,
): Promise<string> {
  // As vLLM does. It also keeps a stranger's web page out: browsers send this type only after asking.
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !/^application\/[\w.-]+\+json$/.test(type)) {
    throw new GatewayError("unsupported_media_type", "The request must have the content-type application/json.");
  }
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== "" && encoding !== "identity") {
    throw new GatewayError("unsupported_media_type", "The request body must not be compressed.");
  }
  if (Number(request.headers.get("content-length") ?? 0) > limits.maxBodyBytes) throw tooLarge(limits.maxBodyBytes);
  if (!request.body) return "";
  const late = Promise.withResolvers<never>();
  const callOff =
    limits.bodyTimeoutMs === 0 ? () => {} : clock.after(limits.bodyTimeoutMs, () => late.reject(tooSlow()));
  try {
    const text = readText(request.body, { maxBytes: limits.maxBodyBytes, fatal: true });
    return await Promise.race([text, late.promise]);
  } catch (thrown) {
    if (thrown instanceof GatewayError) throw thrown;
    if (thrown instanceof RangeError) throw tooLarge(limits.maxBodyBytes);
    throw new GatewayError("invalid_request", "The request body is not complete UTF-8 text.", { cause: thrown });
  } finally {
    callOff();
  }
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError("request_too_large", `The request body is longer than ${maxBytes} bytes.`);
}

function tooSlow(): GatewayError {
  return new GatewayError("request_timeout", "The request body did not arrive in time.");
}
