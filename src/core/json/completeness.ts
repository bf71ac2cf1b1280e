/**
 * Whether pieces of text make up one complete JSON value, in memory that does not grow with it. Brackets and strings
 * are followed, grammar within them is not: `{"a":}` counts as complete.
 */
export class JsonCompleteness {
  #state: "empty" | "scalar" | "nested" | "string" | "escape" | "complete" | "overrun" = "empty";
  #depth = 0;
  #scalar = "";

  push(text: string): void {
    for (const char of text) this.#step(char);
  }

  /** Whether nothing but white space has come. */
  get empty(): boolean {
    return this.#state === "empty";
  }

  /** Whether what has come is one value, whole, and nothing after it. A bare number counts although more digits may follow. */
  get complete(): boolean {
    return this.#state === "complete" || (this.#state === "scalar" && SCALAR.test(this.#scalar));
  }

  #step(char: string): void {
    switch (this.#state) {
      case "string":
        if (char === "\\") this.#state = "escape";
        else if (char === '"') this.#state = this.#depth === 0 ? "complete" : "nested";
        return;
      case "escape":
        this.#state = "string";
        return;
      case "nested":
        if (char === '"') this.#state = "string";
        else if (char === "{" || char === "[") this.#depth += 1;
        else if (char === "}" || char === "]") this.#leave();
        return;
      case "empty":
        if (!SPACE.test(char)) this.#begin(char);
        return;
      case "scalar":
        // A scalar longer than any number or word is no scalar; what it is does not matter.
        if (this.#scalar.length < MAX_SCALAR) this.#scalar += char;
        return;
      case "complete":
        if (!SPACE.test(char)) this.#state = "overrun";
        return;
      case "overrun":
        return;
    }
  }

  #begin(char: string): void {
    if (char === '"') this.#state = "string";
    else if (char === "{" || char === "[") {
      this.#state = "nested";
      this.#depth = 1;
    } else {
      this.#state = "scalar";
      this.#scalar = char;
    }
  }

  #leave(): void {
    this.#depth -= 1;
    if (this.#depth === 0) this.#state = "complete";
  }
}

const SPACE = /\s/;
const SCALAR = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*$/;
const MAX_SCALAR = 400;
