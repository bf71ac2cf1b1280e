/** Routes to operations. The only file that knows the router. */
import { Router } from "itty-router";
import { GatewayError } from "./core/errors.ts";
import { answerPreflight, letRead, type AllowedOrigins } from "./door/cors.ts";
import type { Gateway, Invocation } from "./gateway/gateway.ts";
import { handle } from "./gateway/handle.ts";
import { reportHealth } from "./gateway/health.ts";
import { listModels } from "./gateway/models.ts";
import { refuse } from "./gateway/refuse.ts";
import { operations } from "./protocols/index.ts";

type Handler = (request: Request, invocation: Invocation) => Response | Promise<Response>;

const MODELS = "/v1/models";

/** Returns the function that answers every request to the Worker. It never throws. */
export function createApp(gateway: Gateway): (request: Request, invocation: Invocation) => Promise<Response> {
  const router = Router<Request, [Invocation]>();

  /** The router takes `/path//` for `/path`: a route answers only what `isOurs`. */
  function serve(route: string, methods: readonly string[], handler: Handler, isOurs = exactly(route)): void {
    const allow = methods.join(", ");
    const wrongMethod = new GatewayError("method_not_allowed", `This path takes ${allow} only.`);
    router.all(route, (request, invocation) => {
      if (!isOurs(new URL(request.url).pathname)) return undefined;
      return methods.includes(request.method)
        ? handler(request, invocation)
        : refuse(wrongMethod, request, gateway, invocation, { allow });
    });
  }

  for (const operation of operations) {
    serve(operation.path, ["POST"], (request, invocation) => handle(request, operation, gateway, invocation));
  }
  serve(MODELS, ["GET", "HEAD"], (request, invocation) => listModels(request, gateway, invocation));
  serve(
    `${MODELS}/:id+`,
    ["GET", "HEAD"],
    (request, invocation) => listModels(request, gateway, invocation, modelId(request)),
    (path) => path.length > MODELS.length + 1,
  );
  serve("/health", ["GET", "HEAD"], (request, invocation) => reportHealth(request, gateway, invocation));
  router.all("*", (request, invocation) =>
    refuse(new GatewayError("not_found", "There is nothing at this path."), request, gateway, invocation),
  );

  async function answer(request: Request, invocation: Invocation): Promise<Response> {
    const allowed = pageOrigins(invocation);
    const preflight = answerPreflight(request, allowed);
    if (preflight) return preflight;
    const response: Response = await router.fetch(request, invocation);
    letRead(response, request, allowed);
    return response;
  }

  return (request, invocation): Promise<Response> => {
    const response = answer(request, invocation);
    // A client that leaves would otherwise end the invocation before its ending is known and logged.
    invocation.waitUntil(response);
    return response;
  };
}

/** Settings that are at fault allow no page anything; whatever serves the request says what is wrong with them. */
function pageOrigins({ config }: Invocation): AllowedOrigins {
  try {
    return config().pageOrigins;
  } catch {
    return new Set();
  }
}

function exactly(route: string): (path: string) => boolean {
  return (path) => path === route;
}

/** An id may hold slashes, as they are or encoded; one that cannot be decoded is no model's. */
function modelId(request: Request): string {
  const encoded = new URL(request.url).pathname.slice(MODELS.length + 1);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
