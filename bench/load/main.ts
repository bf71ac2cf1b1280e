/** The load generator's process. */
import { answerCalls } from "../process/calls.ts";
import { finish, leave, open } from "./held.ts";
import { runLoad } from "./timed.ts";

const calls = { runLoad, open, finish, leave };

export type LoadCalls = typeof calls;
answerCalls(calls);
