/** Calls from the bench to the processes that it forks: questions and answers as JSON, so that both sides know their types. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** What a process can be asked, by name. */
export type Api = Readonly<Record<string, (ask: never) => unknown>>;

interface Question {
  readonly id: number;
  readonly name: string;
  readonly ask: unknown;
}

interface Answer<Value> {
  readonly id: number;
  readonly value?: Value;
  readonly failure?: string;
}

export interface Callee<Calls extends Api> extends AsyncDisposable {
  call<Name extends keyof Calls & string>(
    name: Name,
    ask: Parameters<Calls[Name]>[0],
  ): Promise<Awaited<ReturnType<Calls[Name]>>>;
}

/** The process itself is gone: a fault of the bench, and nobody's whom it measures. */
export class ProcessEnded extends Error {}

/** Answers what the parent asks; the process ends when the parent is gone. */
export function answerCalls(calls: Readonly<Record<string, (ask: never) => unknown>>): void {
  process.on("disconnect", () => process.exit());
  process.on("message", (text: string) => {
    const { id, name, ask }: { id: number; name: string; ask: never } = JSON.parse(text);
    const answer = async (): Promise<Answer<unknown>> => {
      try {
        return { id, value: await calls[name]?.(ask) };
      } catch (error) {
        return { id, failure: error instanceof Error ? error.message : String(error) };
      }
    };
    void answer().then((said) => process.send?.(JSON.stringify(said)));
  });
}

/** Starts a process from a file that answers calls. */
export function startProcess<Calls extends Api>(file: string): Callee<Calls> {
  const child = fork(file, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const waiting = new Map<number, (text: string | undefined) => void>();
  let last = 0;
  child.on("message", (text: string) => {
    const { id }: Answer<unknown> = JSON.parse(text);
    waiting.get(id)?.(text);
    waiting.delete(id);
  });
  child.on("exit", () => {
    for (const settle of waiting.values()) settle(undefined);
  });
  return {
    call(name, ask) {
      last += 1;
      const id = last;
      return new Promise<Awaited<ReturnType<Calls[typeof name]>>>((resolve, reject) => {
        if (!child.connected) return reject(new ProcessEnded(`${file} has ended`));
        waiting.set(id, (text) => {
          if (text === undefined) return reject(new ProcessEnded(`${file} ended while it was asked to ${name}`));
          const said: Answer<Awaited<ReturnType<Calls[typeof name]>>> & { value: never } = JSON.parse(text);
          if (said.failure === undefined) resolve(said.value);
          else reject(new Error(said.failure));
        });
        const question: Question = { id, name, ask };
        child.send(JSON.stringify(question));
      });
    },
    [Symbol.asyncDispose]: () => ended(child, () => child.disconnect()),
  };
}

/** Resolves when the process is gone, which `ask` makes it; it is not asked twice. */
export async function ended(child: ChildProcess, ask: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  ask();
  await gone;
}
