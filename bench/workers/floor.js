/** Only moves bytes, in JavaScript: what it costs to see each event at all. */
import { askOrigin } from "./ask.js";

export default {
  async fetch(request, env, ctx) {
    const response = await askOrigin(request, env);
    const { readable, writable } = new IdentityTransformStream();
    ctx.waitUntil(move(response.body.getReader(), writable.getWriter()));
    return new Response(readable, response);
  },
};

async function move(reader, writer) {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      await writer.write(value);
    }
    await writer.close();
  } catch (error) {
    // Whichever side broke, the other must hear of it.
    await Promise.allSettled([reader.cancel(error), writer.abort(error)]);
  }
}
