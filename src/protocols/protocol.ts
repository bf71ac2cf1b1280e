/**
 * What one operation is: a route we serve, how its requests are read and forwarded, and how its answers and errors are
 * written. `index.ts` registers each one in a line.
 */
import type { GatewayError } from "../core/errors.ts";
import type { NewId } from "../core/ids.ts";
import type { Answer, Phase, Tokens } from "../core/machine.ts";
import type { WholeOfEvents } from "../events/accumulate.ts";
import type { StreamEvent } from "../events/event.ts";
import type { Frame } from "../sse/frame.ts";
import type { JsonBody } from "./read-json.ts";

export interface Operation {
  /** The operation's name in the log. */
  readonly name: string;
  /** What OpenTelemetry calls such an operation, where it has a name for it (`gen_ai.operation.name`). */
  readonly genAiName?: "chat" | "text_completion" | "embeddings";
  /** The path that clients POST to, exactly. */
  readonly path: string;
  /** The path that the origin is asked at. */
  readonly originPath: string;
  /** The switch of vLLM's that turns the origin's route on, where it is off by default. */
  readonly originSwitch?: string;
  /** Whether the models that are served are looked at before a request is sent. */
  readonly knowsModels?: boolean;
  /** Returns the call that a request's body makes. Throws a GatewayError. */
  read(body: JsonBody, parts: CallParts): Call;
  /** Returns the JSON body of an error response. */
  writeError(error: GatewayError, requestId: string): string;
}

/** What a call works with that is not in its body. */
export interface CallParts {
  readonly newId: NewId;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** The models that are served, as clients name them, for an operation that asks for them; `undefined` when no list could be had. */
  readonly models?: ReadonlyMap<string, ServedModel> | undefined;
  /** Whether the model may think where it must call a tool or answer in a given structure; `undefined`: nobody said. */
  readonly thinkingWhenForced?: boolean | undefined;
  /** The most bytes that a machine may keep waiting. */
  readonly maxFrameBytes: number;
}

export interface ServedModel {
  /** The most tokens of prompt and answer together; `undefined` when the origin does not tell. */
  readonly maxModelLen: number | undefined;
}

/** One request, read: how it goes to the origin, and how its answer comes to the client. */
export type Call = StreamCall | FoldedCall | WholeCall | RelayedCall;

interface Forwarded {
  /** The model as the client named it; `undefined` leaves the choice to the origin. */
  readonly model: string | undefined;
  /** The parameter under which an overflow of the context is reported. */
  readonly promptParam: string;
  /** Returns the body for the origin, where the model is called `model`; `undefined` leaves the member as it is. */
  forward(model: string | undefined): string;
}

export interface StreamCall extends Forwarded {
  readonly kind: "stream";
  /** Returns the machine that makes the client's stream of the origin's frames; `model` is the origin's name of the model. */
  answer(model?: string): Answer<Frame>;
}

/** A whole answer that is made of the origin's stream. */
export interface FoldedCall extends Forwarded {
  readonly kind: "folded";
  /** Returns the machine that makes events of the origin's frames; `model` as above. */
  events(model?: string): EventSource;
  /** Returns the client's whole answer. Throws a GatewayError. */
  write(answer: WholeOfEvents): string;
}

/** A machine of events; an error among them is the last one. */
export interface EventSource {
  readonly phase: Phase;
  /** For the log. */
  readonly tokens: Tokens | undefined;
  /** For the log: why each choice ended. */
  readonly finishReasons?: readonly string[];
  push(frame: Frame): StreamEvent[];
  end(): StreamEvent[];
}

export interface WholeCall extends Forwarded {
  readonly kind: "whole";
  /** Returns the client's whole answer made of the origin's body; `model` as above. Throws a GatewayError. */
  whole(body: string, model?: string): WholeAnswer;
}

/** The origin's JSON passes as it comes. */
export interface RelayedCall extends Forwarded {
  readonly kind: "relayed";
  /** Returns the origin's JSON with the client's name of the model, where it names one. */
  rename(body: string): string;
}

export interface WholeAnswer {
  readonly json: string;
  /** For the log. */
  readonly tokens: Tokens | undefined;
  /** For the log: why each choice ended. */
  readonly finishReasons?: readonly string[] | undefined;
}
