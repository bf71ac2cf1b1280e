/** Returns the origin's response untouched: the runtime moves the bytes, and no JavaScript sees them. */
import { askOrigin } from "./ask.js";

export default {
  fetch: (request, env) => askOrigin(request, env),
};
