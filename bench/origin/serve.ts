/** One connection to the origin: what it asks is read, and answered as its model says. */
import type { Socket } from "node:net";
import type { UsageAsked } from "../frames/frames.ts";
import { fromModel } from "../frames/orders.ts";
import { wholeAnswer } from "../frames/whole.ts";
import { buffersFor, wholeBuffer } from "./buffers.ts";
import type { Entry, Ledger } from "./ledger.ts";
import { play } from "./play.ts";
import { createRequestReader, type Request } from "./request.ts";

interface StreamOptions {
  readonly include_usage?: boolean;
  readonly continuous_usage_stats?: boolean;
}

interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly stream_options?: StreamOptions;
}

export interface Known {
  readonly ledger: Ledger;
  /** The answer to `GET /v1/models`. */
  readonly list: Buffer;
}

export function listOf(models: readonly string[]): Buffer {
  const data = models.map((id) => ({
    id,
    object: "model",
    created: 1795968748,
    owned_by: "vllm",
    max_model_len: 131_072,
  }));
  return wholeBuffer(JSON.stringify({ object: "list", data }));
}

const whole = new Map<string, Buffer>();

export function serveConnection(socket: Socket, { ledger, list }: Known): void {
  const read = createRequestReader();
  let entry: Entry | undefined;
  const left = (): void => {
    if (entry) ledger.closed(entry);
    entry = undefined;
    socket.destroy();
  };
  socket.setNoDelay(true);
  // A FIN is how a client leaves, too: nobody of ours half closes.
  socket.on("end", left).on("close", left).on("error", left);
  socket.on("data", (bytes: Buffer) => {
    for (const request of read(bytes)) {
      entry = undefined;
      if (request.target.startsWith("/v1/models")) {
        socket.write(list);
        continue;
      }
      answer(socket, request, (tag) => (entry = ledger.arrived(tag))).catch((error: unknown) => {
        if (!socket.destroyed) process.stderr.write(`bench origin: ${String(error)}\n`);
        socket.destroy();
      });
    }
  });
}

async function answer(socket: Socket, request: Request, arrived: (tag: string) => Entry): Promise<void> {
  const { model = "", stream = false, stream_options }: Body = JSON.parse(request.body || "{}");
  const orders = fromModel(model);
  if (orders === undefined) return void socket.write(wholeBuffer(`{"error":"no model ${model}"}`, "404 Not Found"));
  const entry = orders.tag === undefined ? undefined : arrived(orders.tag);
  if (stream) return play(socket, orders, buffersFor(orders, model, usageIn(stream_options)), entry);
  if (orders.hush === "head") return;
  const bytes = whole.get(model) ?? wholeBuffer(wholeAnswer(model, orders.bytes ?? 0));
  whole.set(model, bytes);
  socket.write(bytes);
}

/** vLLM tells usage on each frame only to those who want the last one, too. */
function usageIn(options: StreamOptions | undefined): UsageAsked {
  if (options?.include_usage !== true) return "none";
  return options.continuous_usage_stats === true ? "each" : "last";
}
