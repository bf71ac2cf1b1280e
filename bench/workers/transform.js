/** One TransformStream that copies: the usual way to touch a stream in a Worker. */
import { askOrigin } from "./ask.js";

export default {
  async fetch(request, env) {
    const response = await askOrigin(request, env);
    const copy = new TransformStream({
      transform(chunk, controller) {
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(copy), response);
  },
};
