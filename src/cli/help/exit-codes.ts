import { EXIT } from "../../base/exit-code.ts";

const MEANINGS: readonly (readonly [number, string])[] = [
  [EXIT.ok, "success; for a session: it is complete"],
  [EXIT.failure, "something went wrong; the message says what"],
  [EXIT.usage, "the command line, the request or the settings are invalid"],
  [EXIT.noSuchSession, "no such session"],
  [EXIT.inputNeeded, "an answer is needed, and there is nobody to ask"],
  [EXIT.stuck, "the session is stuck or blocked, or an agent failed for good"],
  [EXIT.leaseHeld, "another process is already doing this"],
  [EXIT.interrupted, "interrupted by Ctrl-C"],
];

/** The meanings, one per line: the text of `wisp help exit-codes`. */
export function exitCodeTable(): string {
  return MEANINGS.map(([code, meaning]) => `${String(code).padStart(4)}  ${meaning}`).join("\n");
}
