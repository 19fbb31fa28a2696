import { PLAN_DIGEST_SHOWN_CHARS } from "../../base/limits.ts";
import { shellWord } from "../../base/words/shell-word.ts";

/** The command that approves exactly one plan: if another is waiting by then, it is refused. */
export function approveCommand(session: string, sha256: string): string {
  const digest = sha256.slice(0, PLAN_DIGEST_SHOWN_CHARS);
  return `wisp plan ${shellWord(session)} --approve --digest ${digest}`;
}
