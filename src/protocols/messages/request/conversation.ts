/** The messages: turns of the user and the assistant by turns, after at most one system message. */
import { isObject, type JsonObject } from "../../../core/json/object.ts";
import { refuse } from "../../../vllm/rules.ts";
import { AssistantTurn } from "./assistant-turn.ts";
import { readBlocks } from "./block.ts";
import { broken } from "./fields.ts";
import { joinSystem, readSystem } from "./system.ts";
import { UserTurn } from "./user-turn.ts";

export interface Conversation {
  readonly messages: readonly object[];
  /** Whether the answer goes on with the last message, which is the assistant's own beginning of it. */
  readonly prefilled: boolean;
}

export function translateConversation(request: JsonObject): Conversation {
  const { messages: list } = request;
  if (!Array.isArray(list) || list.length === 0) throw broken("", "messages", "must be a list of at least one message");
  const turns = new Turns(readSystem(request["system"], "system"));
  for (const [at, said] of list.entries()) turns.add(said, `messages[${at}]`);
  const lastTurn = turns.last;
  const prefilled = lastTurn instanceof AssistantTurn && goesOn(lastTurn, `messages[${list.length - 1}].content`);
  // An empty beginning is none, as the protocol has it.
  if (lastTurn && (prefilled || !(lastTurn instanceof AssistantTurn))) turns.close();
  const messages = turns.written;
  if (messages.length === 0) throw refuse("messages", '"messages" must say something.');
  return { messages, prefilled };
}

/** Whether the assistant's last turn is a beginning to go on with. */
function goesOn(turn: AssistantTurn, param: string): boolean {
  if (turn.hasCalls) throw refuse(param, `"${param}" must not be the last with a tool_use: its tool_result is missing.`);
  if (turn.text !== "") return true;
  if (turn.hasReasoning) throw refuse(param, `"${param}" must not be the last with thinking alone.`);
  return false;
}

class Turns {
  readonly #opening: string[];
  readonly #closed: object[] = [];
  readonly #names = new Map<string, string>();
  last: UserTurn | AssistantTurn | undefined;

  constructor(opening: string[]) {
    this.#opening = opening;
  }

  add(said: unknown, param: string): void {
    if (!isObject(said)) throw refuse(param, `"${param}" must be an object with a role and content.`);
    const { role, content } = said;
    const place = `${param}.content`;
    if (role === "user") {
      const turn = this.#user();
      for (const block of readBlocks(content, place)) turn.add(block);
    } else if (role === "assistant") {
      const turn = this.#assistant();
      for (const block of readBlocks(content, place)) turn.add(block);
    } else if (role === "system") {
      const texts = readSystem(content, place);
      // Before anything is said it belongs to the system prompt.
      if (this.last) this.#user().remind(texts);
      else for (const text of texts) this.#opening.push(text);
    } else {
      throw broken(param, "role", 'must be "user", "assistant" or "system"');
    }
  }

  close(): void {
    if (this.last instanceof AssistantTurn) this.#closed.push(this.last.write());
    else for (const message of this.last?.write() ?? []) this.#closed.push(message);
  }

  get written(): readonly object[] {
    const content = joinSystem(this.#opening);
    return content === "" ? this.#closed : [{ role: "system", content }, ...this.#closed];
  }

  #user(): UserTurn {
    if (this.last instanceof UserTurn) return this.last;
    this.close();
    const turn = new UserTurn(this.#names);
    this.last = turn;
    return turn;
  }

  #assistant(): AssistantTurn {
    if (!(this.last instanceof AssistantTurn)) {
      this.close();
      this.last = new AssistantTurn(this.#names);
    }
    this.last.begin();
    return this.last;
  }
}
