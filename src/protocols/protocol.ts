/**
 * What one operation is: a route we serve, how its requests are read and forwarded, and how its answers and errors are
 * written. `index.ts` registers each one in a line.
 */
import type { GatewayError } from "../core/errors.ts";
import type { NewId } from "../core/ids.ts";
import type { Answer, Tokens } from "../core/machine.ts";
import type { Frame } from "../sse/frame.ts";

export interface Operation {
  /** The operation's name in the log. */
  readonly name: string;
  /** The path that clients POST to, exactly. */
  readonly path: string;
  /** The path that the origin is asked at. */
  readonly originPath: string;
  /** Returns the call that a request's body makes; `body` is a JSON object's text. Throws a GatewayError. */
  read(body: string, parts: CallParts): Call;
  /** Returns the JSON body of an error response. */
  writeError(error: GatewayError): string;
}

/** What a call works with that is not in its body. */
export interface CallParts {
  readonly newId: NewId;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** The most bytes that a machine may keep waiting. */
  readonly maxFrameBytes: number;
}

/** One request, read. */
export interface Call {
  /** The model as the client named it; `undefined` leaves the choice to the origin. */
  readonly model: string | undefined;
  /** Whether the client wants a stream. */
  readonly stream: boolean;
  /** Returns the body for the origin, where the model is called `model`; `undefined` leaves the member as it is. */
  forward(model: string | undefined): string;
  /** Returns the machine that makes the client's stream of the origin's frames. */
  answer(): Answer<Frame>;
  /** Returns the client's whole answer made of the origin's body. Throws a GatewayError. */
  whole(body: string): WholeAnswer;
}

export interface WholeAnswer {
  readonly json: string;
  /** For the log. */
  readonly tokens: Tokens | undefined;
}
