import type { Failure } from "../dialects/dialect.ts";

/** What a server says on the routes that `--enable-scale-out` turns on; only that it names the option is known. */
export const SCALE_OUT_OFF: Failure = {
  status: 403,
  message: "This endpoint is disabled. Start the server with --enable-scale-out to enable it.",
  type: "PermissionDeniedError",
};
