/** What an origin was seen to be. */
export interface Seen {
  /** vLLM's version; `undefined` where it does not say. */
  readonly version: string | undefined;
  /** Which of vLLM's two front ends answers; `undefined` where that cannot be told. */
  readonly dialect: "python" | "rust" | undefined;
  /** Status of its `/health`. */
  readonly health: number;
  /** Status of `/v1/models` with the key that Sluice would send, and without any. */
  readonly withKey: number;
  readonly withoutKey: number;
  readonly models: readonly string[];
  /** The model that was asked something; `undefined` where there is none. */
  readonly asked: string | undefined;
  readonly toolParser: Switch;
  readonly scaleOut: Switch | "absent";
  readonly stream: SeenStream | undefined;
  /** What stands before it, by the headers that it leaves. */
  readonly between: "cloudflare" | "cloudfront" | "fastly" | "nginx" | undefined;
}

export type Switch = "on" | "off" | "unknown";

export interface SeenStream {
  /** How many comments came, and the mean time between them, in milliseconds; 0 of none. */
  readonly comments: number;
  readonly everyMs: number;
  /** The longest silence, in milliseconds. */
  readonly silentMs: number;
}
