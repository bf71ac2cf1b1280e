import { startSim, type RecordedRequest, type Sim } from "../../../sim/server.ts";
import { send, type Client } from "../../support/client.ts";
import { eventually, startWorker, type LogLine, type Worker } from "../../support/worker.ts";
import { ORIGIN_KEY } from "./leaks.ts";
import { BY_NAME, type OperationName } from "./operations.ts";

/** Port 1 is nobody's. */
const NOBODY = "http://127.0.0.1:1";

const BRISK = { HOLD_MS: 150, KEEPALIVE_MS: 100 };

/** Each Worker of the suite by what sets it apart. Where a test names no timeout, none fires while it runs. */
const WORKERS = {
  /** Holds the head for long, so that every status can be told; sends no keep-alive. */
  calm: { HOLD_MS: 15_000, KEEPALIVE_MS: 15_000, MAX_FRAME_BYTES: 65_536, MAX_RESPONSE_BYTES: 1_048_576 },
  /** Lets the head out soon, and sends keep-alives. */
  lively: BRISK,
  /** Has short timeouts. */
  hasty: { ...BRISK, FIRST_EVENT_TIMEOUT_MS: 1_200, IDLE_TIMEOUT_MS: 900, ANSWER_TIMEOUT_MS: 1_500 },
  /** Gives up soon on a client that takes nothing. */
  impatient: { ...BRISK, CLIENT_STALL_TIMEOUT_MS: 700 },
  /** Its origin is not there. */
  nowhere: { ORIGINS: [{ url: NOBODY }] },
  /** Prefers an origin that is not there to one that is. */
  pair: {},
  /** Takes small bodies only, and soon; its origin must hear nothing. */
  strict: { BODY_TIMEOUT_MS: 400, MAX_BODY_BYTES: 65_536 },
} as const;

export type WorkerName = keyof typeof WORKERS;

interface Asking {
  readonly operation?: OperationName;
  /** As chat spells it. */
  readonly request?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How long a test waits for what must come; on a busy machine that may be long. */
const PATIENCE_MS = 15_000;

/** The simulated origin and the Workers in front of it. */
export class Stage implements AsyncDisposable {
  readonly sim: Sim;
  /** The origin that must hear nothing. */
  readonly deaf: Sim;
  readonly #workers: ReadonlyMap<WorkerName, Worker>;
  #asked = 0;

  private constructor(sim: Sim, deaf: Sim, workers: ReadonlyMap<WorkerName, Worker>) {
    this.sim = sim;
    this.deaf = deaf;
    this.#workers = workers;
  }

  /** Opens the Workers of these names; the origin lists `models`, as generate asks whether a model is served. */
  static async open(names: ReadonlySet<WorkerName>, models: readonly string[]): Promise<Stage> {
    const [sim, deaf] = await Promise.all([startSim({ pace: 2, apiKey: ORIGIN_KEY, models }), startSim()]);
    const origins: Partial<Record<WorkerName, object[]>> = {
      pair: [{ url: NOBODY, weight: 1e9 }, { url: sim.url }],
      strict: [{ url: deaf.url }],
    };
    const start = async (name: WorkerName): Promise<[WorkerName, Worker]> => {
      const settings = { ORIGINS: origins[name] ?? [{ url: sim.url }], ORIGIN_API_KEY: ORIGIN_KEY, ...WORKERS[name] };
      return [name, await startWorker(settings)];
    };
    return new Stage(sim, deaf, new Map(await Promise.all([...names].map(start))));
  }

  worker(name: WorkerName): Worker {
    const worker = this.#workers.get(name);
    if (!worker) throw new Error(`no case says that it is on ${name}`);
    return worker;
  }

  /** Asks for an answer, by default for a stream of a chat; `mark` finds the request again where the origin recorded it. */
  async ask(
    name: WorkerName,
    model: string,
    { operation = "chat", request = {}, headers = {} }: Asking = {},
  ): Promise<{ client: Client; mark: string }> {
    this.#asked += 1;
    const mark = `${model} ${this.#asked} on ${name}`;
    const { path, body: bodyOf } = BY_NAME[operation];
    const body = { model, ...bodyOf({ stream: true, ...request }, mark) };
    const client = await send(this.worker(name).port, { path, body, headers });
    return { client, mark };
  }

  /** What the origin recorded of the requests with this mark. */
  records(mark: string): RecordedRequest[] {
    return this.sim.requests().filter(({ body }) => body.includes(JSON.stringify(mark)));
  }

  /** The origin's record of the one request with this mark, once it is there. */
  record(mark: string): Promise<RecordedRequest> {
    return eventually(() => this.records(mark)[0], PATIENCE_MS);
  }

  /** How the requests with this mark ended, once so many have come and all have ended. */
  ends(mark: string, count = 1): Promise<string[]> {
    return eventually(() => {
      const ends = this.records(mark).map(({ ended }) => ended);
      return ends.length < count || ends.includes("open") ? undefined : ends;
    }, PATIENCE_MS);
  }

  /** The Worker's log line of the request with this mark. */
  async line(name: WorkerName, mark: string): Promise<LogLine> {
    const { headers } = await this.record(mark);
    return this.worker(name).line(String(headers["x-request-id"]));
  }

  /** Every line that a Worker logged. */
  get lines(): string {
    return JSON.stringify([...this.#workers.values()].flatMap(({ lines }) => lines));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#workers.values()].map((worker) => worker.close()));
    await Promise.all([this.sim.close(), this.deaf.close()]);
  }
}
