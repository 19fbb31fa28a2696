import type { SessionState } from "../../session/state/session-state.ts";
import { describeUnit } from "../../workspace/session/describe-unit.ts";
import { shellWord } from "../../base/words/shell-word.ts";

/** Tests that were not published: where they are kept, why, and how to get them back. */
export interface SetAside {
  readonly role: "tester";
  readonly unit: string;
  readonly ref: string;
  readonly why: string;
  /** The command that applies them to the checked-out branch. */
  readonly bringBack: string;
}

/** The tester's work that is on no branch and attached to no bug. */
export function setAsideWork({ tester }: SessionState, branch: string): readonly SetAside[] {
  return [...tester.unpublished.values()].map(({ unit, ref, why }) => {
    const range = `${shellWord(branch)}..${shellWord(ref)}`;
    return { role: "tester", unit, ref, why, bringBack: `git cherry-pick ${range}` };
  });
}

/** Tests that were set aside, as a sentence. */
export function setAsideWords({ unit, why, bringBack }: SetAside): string {
  return `tests from ${describeUnit(unit)}: ${why}. To get them back: ${bringBack}`;
}
