/** The client's request, sent to the origin as it came, and ended when the client leaves. */
export function askOrigin(request, env) {
  const { pathname, search } = new URL(request.url);
  return fetch(env.ORIGIN + pathname + search, {
    method: request.method,
    headers: request.headers,
    body: request.body,
    signal: AbortSignal.any([request.signal]),
  });
}
