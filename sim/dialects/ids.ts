import { randomBytes } from "node:crypto";

/** Random hex digits. */
export function hex(digits: number): string {
  return randomBytes(Math.ceil(digits / 2))
    .toString("hex")
    .slice(0, digits);
}
