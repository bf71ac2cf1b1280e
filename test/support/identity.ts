/**
 * What workerd's IdentityTransformStream does and a standard TransformStream does not: a write waits until its bytes
 * are read, and is rejected at once when the body is aborted or cancelled; a close waits for nobody.
 */
export function identityStream(): { readable: ReadableStream<Uint8Array>; writable: WritableStream<Uint8Array> } {
  let wanted = Promise.withResolvers<void>();
  let serve: (() => void) | undefined;
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  let into!: WritableStreamDefaultController;
  let out!: ReadableStreamDefaultController<Uint8Array>;

  const readable = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        out = controller;
      },
      pull() {
        const served = Promise.withResolvers<void>();
        serve = served.resolve;
        wanted.resolve();
        return served.promise;
      },
      cancel(reason) {
        broken.reject(reason);
        into.error(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const writable = new WritableStream<Uint8Array>({
    start(controller) {
      into = controller;
      controller.signal.addEventListener("abort", () => broken.reject(controller.signal.reason));
    },
    async write(chunk) {
      if (chunk.length === 0) return;
      await Promise.race([wanted.promise, broken.promise]);
      wanted = Promise.withResolvers();
      out.enqueue(chunk);
      serve?.();
    },
    close() {
      out.close();
    },
    abort(reason) {
      out.error(reason);
    },
  });
  return { readable, writable };
}
