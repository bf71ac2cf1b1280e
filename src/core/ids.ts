/** Returns a fresh id: `prefix` and 32 random hex digits, unique for all practical purposes. */
export type NewId = (prefix: string) => string;

export const randomId: NewId = (prefix) => prefix + crypto.randomUUID().replaceAll("-", "");
