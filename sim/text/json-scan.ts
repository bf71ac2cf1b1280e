/** Watches one JSON value go by, a character at a time, without parsing it. */
export interface JsonScan {
  /** `inside`: belongs to the value. `last`: the value is complete with this character. `after`: it was before it. */
  feed(character: string): "inside" | "last" | "after";
}

type State = { at: "start" } | { at: "scalar" } | { at: "nested"; depth: number; string: "no" | "yes" | "escape" };

/** White space before the value belongs to it; a bare number or word ends at `,`, `}`, `]` or white space. */
export function createJsonScan(): JsonScan {
  let state: State = { at: "start" };
  return {
    feed(character) {
      switch (state.at) {
        case "start":
          if (/\s/.test(character)) return "inside";
          if (character === "{" || character === "[") state = { at: "nested", depth: 1, string: "no" };
          else if (character === '"') state = { at: "nested", depth: 0, string: "yes" };
          else state = { at: "scalar" };
          return "inside";
        case "scalar":
          return /[,}\]\s]/.test(character) ? "after" : "inside";
        case "nested": {
          if (state.string === "escape") state.string = "yes";
          else if (state.string === "yes") {
            if (character === "\\") state.string = "escape";
            else if (character === '"') state.string = "no";
          } else if (character === '"') state.string = "yes";
          else if (character === "{" || character === "[") state.depth += 1;
          else if (character === "}" || character === "]") state.depth -= 1;
          return state.string === "no" && state.depth === 0 ? "last" : "inside";
        }
      }
    },
  };
}
