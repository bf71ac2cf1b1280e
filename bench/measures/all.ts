/** Everything that is measured, in the order of the table. */
import { abortTasks } from "./aborts.ts";
import { bundleTask, startUpTask } from "./bundle.ts";
import { memoryTasks } from "./memory.ts";
import { pacedTasks, unpacedTasks } from "./streams.ts";
import type { Bench, Task } from "./task.ts";
import { firstEventTasks, wholeTasks } from "./waits.ts";

/** The tasks with a row whose name contains `only`, where that is given, with those rows alone. */
export function tasksFor(bench: Bench, folder: string, only = ""): Task[] {
  const all = [
    ...pacedTasks(bench),
    ...unpacedTasks(bench),
    ...firstEventTasks(bench),
    ...abortTasks(bench),
    ...memoryTasks(bench),
    ...wholeTasks(bench),
    bundleTask(bench),
    startUpTask(folder),
  ];
  return all
    .map((task) => ({ ...task, rows: task.rows.filter(({ name }) => name.includes(only)) }))
    .filter(({ rows }) => rows.length > 0);
}
