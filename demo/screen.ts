/** Where the tour is shown: plain lines, and text that grows. */
import { styleText } from "node:util";

const MARGIN = "      ";
const WIDTH = 76;

export class Screen {
  #column = 0;

  title(text: string): void {
    this.#endLine();
    console.log(`\n${styleText("bold", text)}`);
  }

  /** What is sent, or what is going on. */
  note(text: string): void {
    this.#endLine();
    console.log(styleText("dim", `${MARGIN}${text}`));
  }

  /** What was seen to be so. */
  seen(text: string): void {
    this.#endLine();
    console.log(`${MARGIN}${styleText("green", "✓")} ${text}`);
  }

  failed(text: string): void {
    this.#endLine();
    console.error(`${MARGIN}${styleText("red", "✗")} ${text}`);
  }

  /** A piece of an answer, shown at once. */
  piece(text: string): void {
    for (const part of text.split(/(\n|(?<=\s)(?=\S))/)) {
      const full = this.#column + part.length > WIDTH && this.#column > 0;
      if (part === "\n" || full) this.#endLine();
      if (part === "\n" || part === "") continue;
      process.stdout.write((this.#column === 0 ? MARGIN : "") + styleText("cyan", part));
      this.#column += part.length;
    }
  }

  #endLine(): void {
    if (this.#column > 0) process.stdout.write("\n");
    this.#column = 0;
  }
}
