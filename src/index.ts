import { createApp } from "./app.ts";
import { readConfig, type Config } from "./config/config.ts";
import { systemClock } from "./core/clock.ts";
import { randomId } from "./core/ids.ts";
import { datasetIn } from "./gateway/metrics.ts";
import { OriginHealth } from "./origin/health.ts";
import { ModelLists } from "./origin/models.ts";
import type { Fetch } from "./core/fetch.ts";

const send: Fetch = (url, init) => fetch(url, init);

const app = createApp({
  clock: systemClock,
  fetch: send,
  newId: randomId,
  random: Math.random,
  health: new OriginHealth(systemClock),
  models: new ModelLists(send, systemClock),
  // oxlint-disable-next-line no-console -- in a Worker the console is the log
  log: (line) => console.log(line),
});

/** The settings are read once per environment object, which lives as long as the isolate. */
const configs = new WeakMap<object, Config>();

export default {
  fetch(request, env, context) {
    return app(request, {
      config: () => {
        const config = configs.get(env) ?? readConfig({ ...env });
        configs.set(env, config);
        return config;
      },
      metrics: datasetIn(env),
      waitUntil: (task) => context.waitUntil(task),
    });
  },
} satisfies ExportedHandler<Env>;
