/**
 * Preloaded into wrangler. Its standard input is a pipe that nobody writes to and that closes when the process which
 * started it is gone, however it went; then the whole process group, workerd included, must go too.
 */
import { rmSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

// Wrangler hands its options on to its threads and children, whose standard input is something else.
if (isMainThread && process.argv[1]?.endsWith("wrangler.js")) {
  const option = process.argv.indexOf("--env-file");
  const envFile = option < 0 ? undefined : process.argv[option + 1];
  process.stdin.on("end", () => {
    // Whoever wrote the secrets down is not there any more to remove them.
    if (envFile !== undefined) rmSync(envFile, { force: true });
    process.kill(0, "SIGKILL");
  });
  process.stdin.resume();
  process.stdin.unref();
}
