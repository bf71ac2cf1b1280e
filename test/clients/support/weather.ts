/** A tool whose calls show whether their arguments came whole: text, a list and a number, some of it required. */
const WEATHER_PARAMETERS = {
  type: "object",
  properties: {
    city: { type: "string" },
    days: { type: "array", items: { type: "integer", minimum: 1 } },
    units: { enum: ["c", "f"] },
  },
  required: ["city", "days", "units"],
} as const;

export const WEATHER_TOOL = {
  type: "function",
  function: { name: "get_weather", description: "The weather of a city", parameters: WEATHER_PARAMETERS },
} as const;

export const TIME_TOOL = {
  type: "function",
  function: {
    name: "get_time",
    description: "The time in a time zone",
    parameters: { type: "object", properties: { tz: { type: "string" } }, required: ["tz"] },
  },
} as const;
