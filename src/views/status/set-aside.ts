import type { SessionState } from "../../session/state/session-state.ts";
import { describeUnit } from "../../workspace/session/describe-unit.ts";
import { shellWord } from "../../base/words/shell-word.ts";

/** Tests that were not published: where they are kept, why, and how to have them back. */
export interface SetAside {
  readonly role: "tester";
  readonly unit: string;
  readonly ref: string;
  readonly why: string;
  /** The command that puts them onto a branch that is checked out. */
  readonly bringBack: string;
}

/** What of the tester's work is on no branch, and on no bug either. */
export function setAsideWork({ tester }: SessionState, branch: string): readonly SetAside[] {
  return [...tester.aside.values()].map(({ unit, ref, why }) => {
    const range = `${shellWord(branch)}..${shellWord(ref)}`;
    return { role: "tester", unit, ref, why, bringBack: `git cherry-pick ${range}` };
  });
}

/** One of them as a sentence. */
export function setAsideWords({ unit, why, bringBack }: SetAside): string {
  return `tests made at ${describeUnit(unit)}: ${why}. To have them back: ${bringBack}`;
}
