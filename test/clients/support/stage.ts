import { startSim, type RecordedRequest, type Sim } from "../../../sim/server.ts";
import { eventually, startWorker } from "../../support/worker.ts";

/** A simulated vLLM with the real Worker in front of it. */
export interface Stage extends AsyncDisposable {
  /** Where the Worker is, without a trailing slash: what a client of Anthropic's is given as its base URL. */
  readonly url: string;
  /** What a client of OpenAI's is given as its base URL. */
  readonly baseURL: string;
  /** What the origin was asked under this model's name so far, oldest first. */
  asked(model: string): RecordedRequest[];
  /** Returns the bodies of those requests, parsed. */
  sent(model: string): unknown[];
  /** Returns the only request for `model` once the origin has seen it closed by the other side. */
  closed(model: string): Promise<RecordedRequest>;
}

/** Starts both; `settings` are the Worker's. The model never waits, unless a switch in its name says so. */
export async function openStage(settings: Readonly<Record<string, unknown>> = {}): Promise<Stage> {
  const sim = await startSim({ pace: 0 });
  const worker = await startWorker({ ORIGINS: [{ url: sim.url }], ...settings });
  const asked = (model: string): RecordedRequest[] => askedOf(sim, model);
  return {
    url: worker.url,
    baseURL: `${worker.url}/v1`,
    asked,
    sent: (model) => asked(model).map(({ body }): unknown => JSON.parse(body)),
    closed: (model) =>
      eventually(() => {
        const [request, ...others] = asked(model);
        if (others.length > 0) throw new Error(`${model} was asked for ${others.length + 1} times.`);
        return request?.ended === "closed" ? request : undefined;
      }),
    async [Symbol.asyncDispose]() {
      await worker.close();
      await sim.close();
    },
  };
}

function askedOf(sim: Sim, model: string): RecordedRequest[] {
  return sim.requests().filter((request) => request.model === model);
}
