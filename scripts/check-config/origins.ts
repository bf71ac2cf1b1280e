/** Whether Cloudflare can reach the origins, and nobody else can use them. Origins are named by their place: ORIGINS may be a secret. */
import type { Config } from "../../src/config/config.ts";
import { error, warning, type Finding } from "./finding.ts";

const LOCAL = [
  /^localhost$|\.localhost$|\.local$|\.internal$|\.lan$|^[^.]+$/,
  /^127\.|^10\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\.|^0\./,
  /^\[(::1|f[cd].*|fe[89ab].*)\]$/,
];
const EXAMPLE = /(^|\.)(example\.(com|net|org)|example|invalid|test)$/;

/** Finds what is wrong with the origins of a deployed environment. `hidden`: their addresses are not known here. */
export function checkOrigins({ origins, originHeaders, aliases }: Config, hidden: boolean): Finding[] {
  const found: Finding[] = [];
  if (!hidden) {
    // What a binding reaches is private: its address may be any that is known there.
    for (const [at, { url, fetch }] of origins.entries()) {
      if (!fetch) found.push(...checkUrl(`ORIGINS.${at}`, new URL(url)));
    }
    const urls = origins.map(({ url }) => url);
    if (new Set(urls).size < urls.length) found.push(warning("ORIGINS: an address stands there twice. Use a weight."));
  }
  if (Object.keys(originHeaders).length === 0 && origins.some(({ fetch }) => !fetch)) {
    found.push(
      warning(
        "ORIGIN_API_KEY, CF_ACCESS_CLIENT_ID: neither is set. Whoever finds an origin can use it, past every key (docs/origins.md).",
      ),
    );
  }
  const served = origins.map(({ models }) => models);
  for (const [at, models] of served.entries()) {
    if (models?.length === 0) found.push(warning(`ORIGINS.${at}.models: an empty list. No request will go there.`));
  }
  for (const [alias, { model }] of aliases) {
    if (served.some((models) => models === undefined || models.includes(model))) continue;
    found.push(error(`MODELS.${alias}: stands for a model that is in no origin's list.`));
  }
  return found;
}

function checkUrl(name: string, { protocol, hostname }: URL): Finding[] {
  if (EXAMPLE.test(hostname)) return [error(`${name}.url: an address from the documentation. Put yours there.`)];
  if (LOCAL.some((pattern) => pattern.test(hostname))) {
    return [error(`${name}.url: an address that only your own network knows. Cloudflare cannot reach it.`)];
  }
  if (protocol === "https:") return [];
  return [
    error(`${name}.url: not https. Prompts, answers and the origin's key would cross the internet in the clear.`),
  ];
}
