/** `npm run docs`: makes the pages that are made. A check fails when one on the disk differs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PAGES } from "./docs/pages.ts";

for (const [path, write] of Object.entries(PAGES)) writeFileSync(join(import.meta.dirname, "..", path), write());
