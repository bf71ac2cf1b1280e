/** Whether words of an origin tell of its insides: its code, its machine, its neighbours, its other requests. */
import { showsNames } from "./names.ts";

/** vLLM's documented switches: an operator can act on them, so a client may read them. */
const PUBLIC_SWITCHES = new Set(
  `--allowed-local-media-path --allowed-media-domains --chat-template --convert --enable-auto-tool-choice
  --enable-force-include-usage --enable-lora --enable-mm-embeds --enable-prompt-embeds --enable-reasoning
  --enable-scale-out --limit-mm-per-prompt --logits-processors --max-logprobs --max-model-len --max-num-seqs
  --reasoning-parser --runner --scheduling-policy --structured-outputs-config --tokens-only --tool-call-parser
  --trust-request-chat-template --trust-request-mm-kwargs`.split(/\s+/),
);

const SWITCH = /--[A-Za-z][\w-]{1,60}/g;

/** What somebody quotes is mostly the client's own: a function called `GetWeather` is no class of vLLM's. */
const QUOTED = /`[^`]*`|"[^"]*"|(?<!\w)'[^']*'(?!\w)/g;

const CLASS_NAME = /\b[A-Z][a-z0-9]+[A-Z]\w*|\b[A-Z]{2,}[a-z]{2,}\w*/;
const CLASS_LIKE = /\b(?:OpenAI|LoRA|DeepSeek|JavaScript|TypeScript)\b/g;

const INSIDES: readonly RegExp[] = [
  // Python and its libraries
  /\b[A-Z]\w{0,80}(?:Error|Exception|Warning)\b/,
  /validation errors?\b|\binput_(?:value|type)=|\[type=|further information visit/i,
  /\b(?:pydantic|fastapi|starlette|uvicorn|asyncio|numpy|torch|transformers|vllm)\.[a-z_]/i,
  /\b(?:pydantic|fastapi|starlette|uvicorn|asyncio|zmq|msgspec|xgrammar|jinja2?|CUDA|NCCL)\b/i,
  /<[a-z/!]|\{'/i,
  // Rust
  /\b(?:[iuf](?:8|16|32|64|128)|[iu]size)\b|\buntagged\b|\bvariants?\b|\bstruct\b|::/,
  /\b(?:Option|Vec|Box|Arc)<|\b(?:Number|String|Array|Object|Bool)(?:\(| \[)|\b(?:serde|axum|tokio)\b|panicked/,
  // Traces, paths, addresses
  /traceback|stack ?trace|backtrace|\bline \d+, in\b|\bFile "|segmentation|core dumped|0x[0-9a-f]{4,}/i,
  /(?:^|[\s"'`(=:,[])~?\/(?!v\d)[\w.@-]{2,}|\b[A-Za-z]:\\|\.(?:py|rs|so|cu|cpp|safetensors|gguf)\b/,
  // The engine and its settings
  /engine[ _-]?(?:core|dead|client)|\bengine\b|\bfrontend\b|environment variable/i,
  /\b[A-Z]{2,}_[A-Z_]{2,}\b/,
  /\bmax_(?:model_len|num_\w+)\b|\bprompt_token_ids\b|\bworker\b|\bkv[ _-]cache\b/i,
  // Addresses, hosts, ids
  /:\/\/|\bwww\.|\blocalhost\b|\.(?:internal|local|svc|cluster|lan|corp)\b/i,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b|[\w\]]:\d{3,5}\b|\b[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){4,}/i,
  /\b(?:chatcmpl|cmpl|embd|rerank|score|pool|classify|generate-tokens|tokenize)-[\w-]{4,}|\bresp_\w{8,}/,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-|\b(?=\d*[a-f])[0-9a-f]{16,}\b/i,
];

/** Whether a client must not read `text`. Errs on the side of silence. */
export function showsInsides(text: string): boolean {
  if (INSIDES.some((inside) => inside.test(text)) || showsNames(text)) return true;
  for (const [name] of text.matchAll(SWITCH)) if (!PUBLIC_SWITCHES.has(name)) return true;
  return CLASS_NAME.test(text.replace(QUOTED, "").replace(CLASS_LIKE, ""));
}

/**
 * Returns the switch that `text` names first, if it names one. Unlike in a sentence it may be one that this list does
 * not know yet: the name alone tells nothing of the origin.
 */
export function namedSwitch(text: string): string | undefined {
  return /--[a-z][a-z0-9-]{2,60}\b/.exec(text)?.[0];
}
