import { EXIT } from "../base/exit-code.ts";

const MEANINGS: readonly (readonly [number, string])[] = [
  [EXIT.ok, "it worked; of a session: complete"],
  [EXIT.failure, "something went wrong; the message says what"],
  [EXIT.usage, "the command line, the request or the settings cannot be used as they are"],
  [EXIT.noSuchSession, "there is no such session"],
  [EXIT.inputNeeded, "a person has to answer, and there is nobody to ask"],
  [EXIT.stuck, "the session is stuck or blocked, or one of its agents failed for good"],
  [EXIT.leaseHeld, "another process already does this"],
  [EXIT.interrupted, "interrupted by Ctrl-C"],
];

/** What they mean, one a line: the text of `wisp help exit-codes`. */
export function exitCodeTable(): string {
  return MEANINGS.map(([code, meaning]) => `${String(code).padStart(4)}  ${meaning}`).join("\n");
}
