/** Usage is always asked of the origin; what the client asked decides what it is shown. */
import { editObject, memberText, RawJson, type Edits } from "../../core/json/edit.ts";
import { isObject, type JsonObject } from "../../core/json/object.ts";

/** What of usage the client asked for. */
export interface UsageAsk {
  /** A usage chunk at the end of the stream. */
  readonly final: boolean;
  /** Usage on every chunk; counts only together with `final`, as in vLLM. */
  readonly continuous: boolean;
}

/** Returns what a streaming request's `stream_options` ask for. */
export function readUsageAsk(request: JsonObject): UsageAsk {
  const options = isObject(request["stream_options"]) ? request["stream_options"] : {};
  const final = options["include_usage"] === true;
  return { final, continuous: final && options["continuous_usage_stats"] === true };
}

/** Returns the edits that make the streaming request in `body` ask for usage at its end, its other options untouched. */
export function askForUsage(body: string, asked: UsageAsk): Edits {
  if (asked.final) return {};
  const options = memberText(body, "stream_options");
  if (options === undefined || !options.startsWith("{")) return { stream_options: { include_usage: true } };
  const edited = editObject(options, { include_usage: true, continuous_usage_stats: undefined });
  return { stream_options: new RawJson(edited) };
}
