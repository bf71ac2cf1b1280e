import type { Limits } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import { readText } from "../core/read-text.ts";
import { Deadlines } from "../stream/deadlines.ts";

export interface WholeParts {
  /** The origin's body; rejects with what went wrong before there was one. */
  readonly source: Promise<ReadableStream<Uint8Array>>;
  /** Closes the origin's request. */
  readonly free: () => void;
  readonly limits: Limits;
  readonly clock: Clock;
  /** Called when the origin's head has come. */
  readonly onHead: () => void;
}

/**
 * Returns the whole text of an origin's answer. Throws `origin_timeout` after `answerTimeoutMs` in all or
 * `idleTimeoutMs` of silence in the body, `origin_protocol` past `maxResponseBytes`, `origin_cut` when it breaks off.
 */
export async function readWhole({ source, free, limits, clock, onHead }: WholeParts): Promise<string> {
  const late = Promise.withResolvers<never>();
  const deadlines = new Deadlines<"answer" | "silence">(clock, () => {
    late.reject(tooLate());
    free();
  });
  const read = async (): Promise<string> => {
    const body = await source;
    onHead();
    const onBytes = (): void => deadlines.set("silence", limits.idleTimeoutMs);
    onBytes();
    return readText(body, { maxBytes: limits.maxResponseBytes, onBytes });
  };
  deadlines.set("answer", limits.answerTimeoutMs);
  try {
    return await Promise.race([read(), late.promise]);
  } catch (thrown) {
    free();
    if (thrown instanceof GatewayError) throw thrown;
    if (thrown instanceof RangeError) throw tooLong();
    throw new GatewayError("origin_cut", "The origin's answer broke off.", { cause: thrown });
  } finally {
    deadlines.stop();
  }
}

export function tooLate(): GatewayError {
  return new GatewayError("origin_timeout", "The origin took too long to answer.");
}

export function tooLong(): GatewayError {
  return new GatewayError("origin_protocol", "The origin's answer is longer than this gateway allows.");
}
