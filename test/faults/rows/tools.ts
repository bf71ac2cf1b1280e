/** The tools that a request offers, and the calls that the simulated model makes of them. */

const object = (properties: object, required: readonly string[]): object => ({ type: "object", properties, required });

export const CALLING = {
  tools: [
    {
      type: "function",
      function: {
        name: "get_weather",
        parameters: object({ city: { type: "string" }, days: { type: "integer" } }, ["city", "days"]),
      },
    },
    { type: "function", function: { name: "get_time", parameters: object({ zone: { type: "string" } }, ["zone"]) } },
  ],
};

export const WEATHER = { name: "get_weather", arguments: '{"city": "Łódź", "days": 1}' };
export const TIME = { name: "get_time", arguments: '{"zone": "a sluice"}' };
