import { createPythonParser } from "../text/parse-python.ts";
import type { Dialect } from "./dialect.ts";
import { pythonChat } from "./python-chat.ts";
import { pythonCompletions } from "./python-completions.ts";
import { pythonGenerate } from "./python-generate.ts";

/** The Python server (FastAPI on uvicorn): nulls are written, the last text rides on the finish. */
export const python: Dialect = {
  name: "python",
  wires: { chat: pythonChat, completions: pythonCompletions, generate: pythonGenerate },
  parser: createPythonParser,
  streamHeaders: [
    ["server", "uvicorn"],
    ["content-type", "text/event-stream; charset=utf-8"],
    ["vary", "Origin"],
  ],
  jsonHeaders: [
    ["server", "uvicorn"],
    ["content-length", "$LENGTH"],
    ["content-type", "application/json"],
    ["vary", "Origin"],
  ],
  emptyHeaders: [
    ["server", "uvicorn"],
    ["content-length", "0"],
    ["vary", "Origin"],
  ],
  failure(known) {
    return known === "engine-dead"
      ? {
          status: 500,
          message: "EngineCore encountered an issue. See stack trace (above) for the root cause.",
          type: "InternalServerError",
        }
      : { status: 500, message: "Internal server error", type: "InternalServerError" };
  },
  error({ status, message, type, param, code }) {
    const named: Record<number, string> = { 400: "BadRequestError", 404: "NotFoundError", 500: "InternalServerError" };
    const error = { message, type: type ?? named[status] ?? "Service Unavailable", param: param ?? null };
    return { error: { ...error, code: code ?? status } };
  },
};
