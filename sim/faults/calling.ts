import type { Plan } from "../engine/plan.ts";
import { callsFor, callText, type Call } from "../chat/speak.ts";
import { lastUserText } from "../chat/request.ts";
import { listAt } from "../json.ts";
import { END, piecesOf } from "../text/pieces.ts";

const INVENTED: readonly Call[] = [
  { name: "get_weather", arguments: { city: "Łódź", days: 2, units: "c" } },
  { name: "get_time", arguments: { tz: "Europe/Warsaw" } },
];

/** So many calls of the request's own tools; invented ones where it has none. */
export function callsOf(plan: Plan, count: number): Call[] {
  const body = { ...plan.body, tool_choice: "required", parallel_tool_calls: true };
  const user = `${lastUserText(plan.body)} ${count > 1 ? "both" : ""}`;
  const own = listAt(plan.body, "tools").length > 0 ? callsFor(body, user) : [];
  const [first] = own;
  if (first === undefined) return INVENTED.slice(0, count);
  return Array.from({ length: count }, (_, number) => own[number] ?? first);
}

/** A plan in which every choice says this text, and calls in it are found. */
export function planSaying(plan: Plan, text: string): Plan {
  return {
    ...plan,
    choices: plan.choices.map((choice) => ({ ...choice, pieces: [...piecesOf(text), END] })),
    parsers: { ...plan.parsers, tools: true, onlyFirstCall: false },
    misfit: false,
    raw: false,
  };
}

/** A plan in which every choice makes so many calls, with this between them. */
export function planCalling(plan: Plan, count: number): Plan {
  return planSaying(plan, callsOf(plan, count).map(callText).join("\n"));
}
