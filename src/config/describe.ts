/** What every setting means, for `docs/settings.md`. The Worker itself does not read it; a setting without a line here does not compile. */
import type { Settings } from "./schema.ts";

export interface Description {
  readonly group: "Origins" | "Who may call" | "Models" | "Time" | "Size" | "Deployment";
  /** What a value looks like, where the schema has no words for it. */
  readonly form?: string;
  readonly meaning: string;
  /** Whether it belongs among the secrets, since whoever knows it may do something. */
  readonly secret?: true;
  /** The keys inside a value that is a table, and what each means. */
  readonly keys?: Readonly<Record<string, string>>;
  /** A value as it may stand, in JSON. */
  readonly example?: string;
}

/** The keys of one entry: all of them, or it does not compile. */
type KeysOf<Entry> = { readonly [key in keyof Required<Entry>]: string };

const ORIGIN: KeysOf<Settings["ORIGINS"][number]> = {
  url: "the address of a vLLM server, without credentials, query and fragment; a path in it comes before every route",
  weight: "its share of the requests, relative to the other origins; 1 by default",
  models: "its own names of the models it serves; without this, any",
  binding:
    "the binding that it is reached through, such as one of Workers VPC (docs/origins.md); without this, the internet",
};

const KEY: KeysOf<Settings["API_KEYS"][string]> = {
  name: "what the log calls its caller",
  models: "the models, as clients name them, that it opens; without this, all",
  expires: "a date such as `2027-01-31`, from which on it is refused; without this, never",
};

const MODEL: KeysOf<Settings["MODELS"][string]> = {
  model: "the origin's name of the model",
  thinking_when_forced:
    "`false` tells the model's template not to think where a request forces a tool or a structure: a reasoning parser that waits for the end of a thought would swallow the answer; without this, nothing changes",
};

export const DESCRIPTIONS: { readonly [name in keyof Settings]: Description } = {
  ORIGINS: {
    group: "Origins",
    form: "a list of origins",
    meaning: "The vLLM servers. Requests are shared among those that serve the model.",
    keys: ORIGIN,
    example: '[{ "url": "https://gpu-1.example.com" }, { "url": "https://gpu-2.example.com", "weight": 2 }]',
  },
  ORIGIN_API_KEY: {
    group: "Origins",
    meaning: "Sent to every origin as a bearer token: what vLLM was given as `--api-key`.",
    secret: true,
  },
  CF_ACCESS_CLIENT_ID: {
    group: "Origins",
    meaning: "With the next one a Cloudflare Access service token, sent to every origin.",
    secret: true,
  },
  CF_ACCESS_CLIENT_SECRET: { group: "Origins", meaning: "The other half of the service token.", secret: true },
  API_KEYS: {
    group: "Who may call",
    form: "a table: the SHA-256 of a key in hex → what it opens",
    meaning: "The keys of clients, known by their hashes alone. Without any the door is shut.",
    keys: KEY,
    secret: true,
    example: `{
  "2a8a1240f50636655520ac8ed22aa29473b8517b4abfdbc3bc03bcad73fc8849": {
    "name": "app",
    "models": ["small"],
    "expires": "2027-01-31"
  }
}`,
  },
  CORS_ALLOW_ORIGINS: {
    group: "Who may call",
    form: "a list of origins",
    meaning:
      "The origins of the web pages that may call and read what is answered, each exactly as browsers send it. Without any, no page of another origin may.",
    example: '["https://chat.example.com"]',
  },
  ALLOW_ANONYMOUS: {
    group: "Who may call",
    form: "`true` or `false`",
    meaning: "Lets callers in without a key; an unknown key then counts as none.",
  },
  MODELS: {
    group: "Models",
    form: "a table: alias → what it stands for",
    meaning: "Names of models that clients may use beside the origins' own.",
    keys: MODEL,
    example: '{ "small": { "model": "Qwen/Qwen3-4B" } }',
  },
  HOLD_MS: { group: "Time", meaning: "How long a stream's head waits for the origin's first word; 0 is not at all." },
  KEEPALIVE_MS: { group: "Time", meaning: "After how much silence a stream says that it is alive; 0 is never." },
  FIRST_EVENT_TIMEOUT_MS: { group: "Time", meaning: "How long an origin may take to its first frame; 0 is for ever." },
  IDLE_TIMEOUT_MS: { group: "Time", meaning: "How long an origin may be silent after that; 0 is for ever." },
  ANSWER_TIMEOUT_MS: { group: "Time", meaning: "How long a whole (non-streaming) answer may take; 0 is for ever." },
  CLIENT_STALL_TIMEOUT_MS: { group: "Time", meaning: "How long a client may take no byte of a stream; 0 is for ever." },
  TOTAL_TIMEOUT_MS: { group: "Time", meaning: "How long a stream may take in all; 0 is for ever." },
  BODY_TIMEOUT_MS: { group: "Time", meaning: "How long a request's body may take to arrive; 0 is for ever." },
  MAX_BODY_BYTES: { group: "Size", meaning: "The longest request body." },
  MAX_FRAME_BYTES: { group: "Size", meaning: "The longest frame that an origin may send." },
  MAX_RESPONSE_BYTES: { group: "Size", meaning: "The longest whole answer." },
  GIT_COMMIT: {
    group: "Deployment",
    meaning: "The commit that `GET /health` tells; `npm run deploy` sets it.",
  },
};
