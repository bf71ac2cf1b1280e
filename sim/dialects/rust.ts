import { createRustParser } from "../text/parse-rust.ts";
import type { Dialect } from "./dialect.ts";
import { rustChat } from "./rust-chat.ts";
import { rustCompletions } from "./rust-completions.ts";
import { rustGenerate } from "./rust-generate.ts";

/** The Rust front end (axum): only what is set is written. */
export const rust: Dialect = {
  name: "rust",
  wires: { chat: rustChat, completions: rustCompletions, generate: rustGenerate },
  parser: createRustParser,
  streamHeaders: [
    ["content-type", "text/event-stream"],
    ["cache-control", "no-cache"],
  ],
  jsonHeaders: [
    ["content-type", "application/json"],
    ["content-length", "$LENGTH"],
  ],
  emptyHeaders: [["content-length", "0"]],
  failure(known) {
    const message =
      known === "engine-dead" ? "engine-core error: engine core reported fatal failure" : "Internal server error";
    return { status: 500, message };
  },
  error({ status, message, type, param, code }) {
    const kind = status >= 500 ? "server_error" : "invalid_request_error";
    const named = status === 404 ? "model_not_found" : kind;
    return { error: { message, type: type ?? kind, param: param ?? null, code: code ?? named } };
  },
};
