/** Routes to operations. The only file that knows the router. */
import { Router } from "itty-router";
import { GatewayError } from "./core/errors.ts";
import type { Gateway, Invocation } from "./gateway/gateway.ts";
import { handle } from "./gateway/handle.ts";
import { reportHealth } from "./gateway/health.ts";
import { refuse } from "./gateway/refuse.ts";
import { operations } from "./protocols/index.ts";

/** Returns the function that answers every request to the Worker. It never throws. */
export function createApp(gateway: Gateway): (request: Request, invocation: Invocation) => Promise<Response> {
  const router = Router<Request, [Invocation]>();
  for (const operation of operations) {
    router.post(
      operation.path,
      exactly(operation.path, (request, invocation) => handle(request, operation, gateway, invocation)),
    );
    router.all(
      operation.path,
      exactly(operation.path, () => refuse(wrongMethod("POST"), gateway, { allow: "POST" })),
    );
  }
  const health: Handler = (_request, invocation) => reportHealth(gateway, invocation);
  router.get("/health", exactly("/health", health));
  router.head("/health", exactly("/health", health));
  router.all(
    "/health",
    exactly("/health", () => refuse(wrongMethod("GET"), gateway, { allow: "GET, HEAD" })),
  );
  router.all("*", () => refuse(notFound(), gateway));
  return (request, invocation): Promise<Response> => {
    const response: Promise<Response> = router.fetch(request, invocation);
    // A client that leaves would otherwise end the invocation before its ending is known and logged.
    invocation.waitUntil(response);
    return response;
  };
}

type Handler = (request: Request, invocation: Invocation) => Response | Promise<Response>;

/** The router takes `/path/` and `/path//` for `/path`; what is not exactly ours is nothing of ours. */
function exactly(
  path: string,
  handler: Handler,
): (request: Request, invocation: Invocation) => ReturnType<Handler> | undefined {
  return (request, invocation) => (new URL(request.url).pathname === path ? handler(request, invocation) : undefined);
}

function wrongMethod(allow: string): GatewayError {
  return new GatewayError("method_not_allowed", `This path takes ${allow} only.`);
}

function notFound(): GatewayError {
  return new GatewayError("not_found", "There is nothing at this path.");
}
