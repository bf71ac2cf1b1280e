/**
 * What a browser puts around a page's `fetch`: it asks first where it must, sends where the page is from, and gives the page
 * nothing that it may not read. https://fetch.spec.whatwg.org/#http-cors-protocol
 */

/** Types of a body that every page could send before there was any of this. */
const SAFE_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];
const SAFE_NAMES = ["accept", "accept-language", "content-language"];
const SAFE_METHODS = ["GET", "HEAD", "POST"];

/** Returns the `fetch` of a page of `origin`, for addresses of other origins. It rejects as a browser does. */
export function fetchOf(origin: string): (url: string, init?: RequestInit) => Promise<Response> {
  return async (url, init = {}) => {
    const { method, headers } = new Request(url, init);
    const names = [...headers].filter((header) => !isSafe(header)).map(([name]) => name);
    if (!SAFE_METHODS.includes(method) || names.length > 0) await ask(url, method, names.toSorted());
    const response = await fetch(url, { ...init, headers: { ...Object.fromEntries(headers), origin } });
    if (response.headers.get("access-control-allow-origin") !== origin) throw refused("the answer may not be read");
    return response;
  };

  /** The preflight: without the page's own headers, and so without a key. */
  async function ask(url: string, method: string, names: readonly string[]): Promise<void> {
    const response = await fetch(url, {
      method: "OPTIONS",
      headers: {
        accept: "*/*",
        origin,
        "access-control-request-method": method,
        ...(names.length > 0 && { "access-control-request-headers": names.join(",") }),
        "sec-fetch-mode": "cors",
      },
    });
    if (!response.ok) throw refused(`the preflight is answered ${response.status}`);
    if (response.headers.get("access-control-allow-origin") !== origin) throw refused("the page is not allowed");
    const allowed = list(response, "access-control-allow-headers");
    const missing = names.filter((name) => !allowed.includes(name));
    if (missing.length > 0) throw refused(`not allowed: ${missing.join(", ")}`);
    const methods = [
      ...SAFE_METHODS.map((safe) => safe.toLowerCase()),
      ...list(response, "access-control-allow-methods"),
    ];
    if (!methods.includes(method.toLowerCase())) throw refused(`not allowed: ${method}`);
  }
}

function isSafe([name, value]: readonly [string, string]): boolean {
  if (name === "content-type") return SAFE_TYPES.includes(value.split(";")[0]?.trim().toLowerCase() ?? "");
  return SAFE_NAMES.includes(name);
}

function list(response: Response, name: string): string[] {
  return (response.headers.get(name) ?? "").split(",").map((item) => item.trim().toLowerCase());
}

function refused(why: string): TypeError {
  return new TypeError(`Failed to fetch: ${why}`);
}
