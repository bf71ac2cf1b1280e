/** The messages: the user's turns and the assistant's one after the other, after at most one system message. */
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
  const { messages } = request;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw broken("", "messages", "must be a list of at least one message");
  }
  const turns = new Turns(readSystem(request["system"], "system"));
  for (const [at, said] of messages.entries()) turns.add(said, `messages[${at}]`);
  return turns.end(`messages[${messages.length - 1}].content`);
}

class Turns {
  readonly #opening: string[];
  readonly #closed: object[] = [];
  readonly #names = new Map<string, string>();
  #turn: UserTurn | AssistantTurn | undefined;

  /** `opening`: the texts of the system prompt. */
  constructor(opening: string[]) {
    this.#opening = opening;
  }

  add(said: unknown, param: string): void {
    if (!isObject(said)) throw refuse(param, `"${param}" must be an object with a role and content.`);
    const { role, content } = said;
    if (role === "system") {
      this.#addSystem(readSystem(content, `${param}.content`));
      return;
    }
    if (role !== "user" && role !== "assistant") {
      throw broken(param, "role", 'must be "user", "assistant" or "system"');
    }
    const turn = role === "user" ? this.#user() : this.#assistant();
    for (const block of readBlocks(content, `${param}.content`)) turn.add(block);
  }

  /** `param`: the last message's content. */
  end(param: string): Conversation {
    const prefilled = this.#turn instanceof AssistantTurn && goesOn(this.#turn, param);
    // An empty beginning is none, as the protocol has it.
    if (prefilled || this.#turn instanceof UserTurn) this.#close();
    return { messages: this.#written(), prefilled };
  }

  /** Before anything is said it belongs to the system prompt. */
  #addSystem(texts: readonly string[]): void {
    if (this.#turn) this.#user().remind(texts);
    else for (const text of texts) this.#opening.push(text);
  }

  #user(): UserTurn {
    if (this.#turn instanceof UserTurn) return this.#turn;
    this.#close();
    const turn = new UserTurn(this.#names);
    this.#turn = turn;
    return turn;
  }

  #assistant(): AssistantTurn {
    if (this.#turn instanceof AssistantTurn) {
      this.#turn.beginMessage();
      return this.#turn;
    }
    this.#close();
    const turn = new AssistantTurn(this.#names);
    this.#turn = turn;
    return turn;
  }

  #close(): void {
    for (const message of this.#turn?.write() ?? []) this.#closed.push(message);
  }

  #written(): readonly object[] {
    const content = joinSystem(this.#opening);
    const messages = content === "" ? this.#closed : [{ role: "system", content }, ...this.#closed];
    if (messages.length === 0) throw refuse("messages", '"messages" must say something.');
    return messages;
  }
}

/** Whether the assistant's last turn is a beginning to go on with; one that it could not go on with is refused. */
function goesOn(turn: AssistantTurn, param: string): boolean {
  if (turn.hasCalls) throw refuse(param, `"${param}" has a tool_use without its tool_result after it.`);
  if (turn.text !== "") return true;
  if (turn.hasReasoning) throw refuse(param, `"${param}" must not be thinking alone in the last message.`);
  return false;
}
