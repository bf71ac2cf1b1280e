import { writeErrors } from "./errors.ts";
import { writeSettings } from "./settings.ts";

/** The pages that are made, by their place in the repository. */
export const PAGES: Readonly<Record<string, () => string>> = {
  "docs/settings.md": writeSettings,
  "docs/errors.md": writeErrors,
};
