/** One thing that was found out about a configuration. `text` never holds a secret, nor a value that might be one. */
export interface Finding {
  /** An error keeps the configuration from being deployed, a warning does not, a note is for information. */
  readonly level: "error" | "warning" | "note";
  readonly text: string;
}

export const error = (text: string): Finding => ({ level: "error", text });
export const warning = (text: string): Finding => ({ level: "warning", text });
export const note = (text: string): Finding => ({ level: "note", text });
