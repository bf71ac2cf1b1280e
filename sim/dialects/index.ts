import type { DialectName } from "../model.ts";
import type { Dialect } from "./dialect.ts";
import { python } from "./python.ts";
import { rust } from "./rust.ts";

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = { python, rust };
