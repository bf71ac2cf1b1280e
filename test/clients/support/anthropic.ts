import NewestAnthropic from "@anthropic-ai/sdk";
import { VERSION as NEWEST_VERSION } from "@anthropic-ai/sdk/version";
import Anthropic0 from "anthropic-0";
import { VERSION as VERSION_0 } from "anthropic-0/version";

/** A generation of Anthropic's SDK: its version and its class. */
interface Generation {
  readonly version: string;
  readonly Anthropic: typeof NewestAnthropic;
}

export type AnthropicClient = InstanceType<Generation["Anthropic"]>;

/** The newest one, and the one that Node 20 can still run; the older goes by the type of the newer, as in `openai.ts`. */
export const GENERATIONS: readonly Generation[] = [
  { version: NEWEST_VERSION, Anthropic: NewestAnthropic },
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
  { version: VERSION_0, Anthropic: Anthropic0 } as unknown as Generation,
];

/** Tools whose calls show whether their arguments came whole. */
export const WEATHER_TOOL = {
  name: "get_weather",
  description: "The weather of a city",
  input_schema: {
    type: "object" as const,
    properties: {
      city: { type: "string" },
      days: { type: "array", items: { type: "integer", minimum: 1 } },
      units: { enum: ["c", "f"] },
    },
    required: ["city", "days", "units"],
  },
};

export const TIME_TOOL = {
  name: "get_time",
  description: "The time in a time zone",
  input_schema: { type: "object" as const, properties: { tz: { type: "string" } }, required: ["tz"] },
};
