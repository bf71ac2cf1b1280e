/** What it means for Sluice that an origin is as it was seen. */
import { error, note, warning, type Finding } from "../finding.ts";
import type { Seen } from "./seen.ts";

const LISTED = 5;

/** Returns one finding for each thing that is worth knowing; `name` is the origin's place, such as `ORIGINS.0`. */
export function judge(name: string, seen: Seen): Finding[] {
  return [
    note(`${name}: vLLM ${seen.version ?? "of an unknown version"}, ${dialect(seen)}. ${models(seen)}`),
    ...(seen.health === 200 ? [] : [error(`${name}: /health answers ${seen.health}. Its engine does not run.`)]),
    ...key(name, seen),
    ...asked(name, seen),
    ...between(name, seen),
  ];
}

function dialect({ dialect: known }: Seen): string {
  if (known === undefined) return "front end unknown";
  return known === "rust" ? "Rust front end" : "Python front end";
}

function models({ models: names, withKey }: Seen): string {
  if (withKey !== 200) return "It does not list its models.";
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : "";
  return names.length === 0 ? "It serves no model." : `It serves ${names.slice(0, LISTED).join(", ")}${more}.`;
}

function key(name: string, { withKey, withoutKey }: Seen): Finding[] {
  if (withKey === 401 || withKey === 403) {
    return [
      error(`${name}: it refuses the key that Sluice would send (${withKey}). Clients would get 502 origin_auth.`),
    ];
  }
  if (withKey !== 200) return [error(`${name}: /v1/models answers ${withKey}.`)];
  if (withoutKey === 200) {
    return [warning(`${name}: it answers without a key. Whoever finds its address can use it (docs/origins.md).`)];
  }
  return [note(`${name}: it asks for its key, and takes ours.`)];
}

function asked(name: string, { asked: model, toolParser, scaleOut, stream }: Seen): Finding[] {
  if (model === undefined) return [warning(`${name}: no model could be asked, so nothing is known of its switches.`)];
  return [tools(name, toolParser), generate(name, scaleOut), silence(name, stream)];
}

function tools(name: string, state: Seen["toolParser"]): Finding {
  if (state === "on") return note(`${name}: tools are parsed.`);
  if (state === "unknown") return warning(`${name}: whether tools are parsed could not be told.`);
  return warning(
    `${name}: no tool parser, so every request with tools is refused. Start vLLM with --enable-auto-tool-choice and --tool-call-parser.`,
  );
}

function generate(name: string, state: Seen["scaleOut"]): Finding {
  if (state === "on") return note(`${name}: /inference/v1/generate is on.`);
  if (state === "unknown") return warning(`${name}: whether /inference/v1/generate is on could not be told.`);
  const why = state === "off" ? "off" : "not there";
  return note(`${name}: /inference/v1/generate is ${why}; clients get 501 for it. Start vLLM with --enable-scale-out.`);
}

function silence(name: string, stream: Seen["stream"]): Finding {
  if (stream === undefined) return error(`${name}: it does not stream a chat answer.`);
  if (stream.comments > 0) {
    return note(`${name}: it breaks a silence after ${stream.everyMs} ms, so nothing between will take it for dead.`);
  }
  return note(
    `${name}: no keep-alive was seen (its longest silence was ${stream.silentMs} ms). What stands between must bear minutes of silence, or start vLLM with --sse-keep-alive-interval 30.`,
  );
}

function between(name: string, { between: proxy, stream }: Seen): Finding[] {
  if (proxy === undefined) return [];
  const limits = {
    cloudflare: "Cloudflare stands before it and ends 120 s of silence with 524",
    cloudfront: "CloudFront stands before it and ends 30 s of silence by default",
    fastly: "Fastly stands before it and ends 60 s of silence by default",
    nginx: "nginx stands before it, which ends 60 s of silence and buffers answers by default",
  };
  const alive = (stream?.comments ?? 0) > 0 ? " Its keep-alives help streams, not whole answers." : "";
  return [warning(`${name}: ${limits[proxy]} (docs/origins.md).${alive}`)];
}
