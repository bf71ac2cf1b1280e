import type { Sim } from "../sim/server.ts";
import type { Gateway } from "./gateway.ts";
import type { Screen } from "./screen.ts";

/** One thing worth seeing. It throws unless everything that it shows is so. */
export type Stop = AnywhereStop | SimulatedStop;

/** A stop that any gateway can be shown at. */
export interface AnywhereStop {
  readonly title: string;
  readonly where: "anywhere";
  /** Whether the origin must have a tool parser. */
  readonly needsTools?: true;
  /** `sim` is there when the origin is the simulated one, which then is asked too. */
  run(gateway: Gateway, screen: Screen, sim: Sim | undefined): Promise<void>;
}

/** A stop that needs an origin which fails as told, and keeps a record. */
export interface SimulatedStop {
  readonly title: string;
  readonly where: "simulated origin";
  run(gateway: Gateway, screen: Screen, sim: Sim): Promise<void>;
}
