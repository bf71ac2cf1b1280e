/** The rounds: every task for every contender in each, so that whatever disturbs the machine disturbs them all. */
import type { Contender } from "./contenders/contender.ts";
import type { Scenario } from "./frames/scenario.ts";
import { warmUp } from "./measures/streams.ts";
import { takesPart, type Bench, type Task } from "./measures/task.ts";
import { ProcessEnded } from "./process/calls.ts";
import type { Book } from "./report/book.ts";

/** `leaving` ends them after what is being measured. */
export async function runRounds(
  bench: Bench,
  tasks: readonly Task[],
  book: Book,
  tell: Tell,
  leaving: AbortSignal,
): Promise<void> {
  tell("warming up");
  for (const contender of bench.contenders) {
    for (const scenario of scenariosOf(tasks, contender)) {
      leaving.throwIfAborted();
      // One that cannot do it will say so when it is measured.
      await warmUp(bench, contender, scenario).catch(() => undefined);
    }
  }
  for (let round = 0; round < bench.scale.rounds; round += 1) {
    tell(`round ${round + 1} of ${bench.scale.rounds}`);
    for (const task of tasks) {
      if (task.once && round > 0) continue;
      // There and back: nobody always comes first, or always after the same other.
      for (const contender of round % 2 === 0 ? bench.contenders : bench.contenders.toReversed()) {
        leaving.throwIfAborted();
        if (takesPart(task, contender)) await runTask(task, contender, book, tell);
      }
    }
  }
}

export type Tell = (line: string) => void;

async function runTask({ rows, run }: Task, contender: Contender, book: Book, tell: Tell): Promise<void> {
  const names = rows.map(({ name }) => name);
  if (names.some((name) => book.isBroken(name, contender.name))) return;
  try {
    const values = await run(contender);
    for (const name of names) {
      const value = values[name];
      if (value !== undefined) book.note(name, contender.name, value);
    }
  } catch (error) {
    if (error instanceof ProcessEnded) throw error;
    for (const name of names) book.breaks(name, contender.name);
    const problem = `${contender.name}, ${names.join(" and ")}: ${error instanceof Error ? error.message : String(error)}`;
    book.problems.push(problem);
    tell(problem);
  }
}

function scenariosOf(tasks: readonly Task[], contender: Contender): Scenario[] {
  const mine = tasks.filter((task) => takesPart(task, contender));
  return [...new Set(mine.flatMap(({ scenario }) => scenario ?? []))];
}
