import { createHash } from "node:crypto";
import { ROLES } from "../../base/role.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { isUnanswered } from "../../session/state/open-unit.ts";
import { isDoneUnverified, withNothingVerified } from "../../session/rules/nothing-verified.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { waitingPlan, type WaitingPlan } from "../../session/steps/waiting-plan.ts";
import { heldBranch, type HeldBranch } from "../../session/steps/held-branch.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { SessionState } from "../../session/state/session-state.ts";

/** Something that a person is notified of. */
export interface Notice {
  /** What it is about; a person is notified of each at most once. */
  readonly about: string;
  /** The id of the question, if it is one. */
  readonly question: string | undefined;
  /** Begins with `wisp`, so that no program mistakes it for an option or a file. */
  readonly text: string;
}

/** The notices that the present state calls for: open questions, or the end. */
export function noticesOf(
  { builder, human, ...roles }: SessionState,
  { id }: Pick<SessionJson, "id">,
): readonly Notice[] {
  const done = endOf({ builder, human });
  if (done !== undefined) {
    const outcome = done.how === "complete" ? "is complete" : "is stuck";
    const reason = withNothingVerified(done.reason, isDoneUnverified({ builder, human, ...roles }));
    const text = `wisp: ${id} ${outcome}: ${reason}`;
    return [{ about: `done:${String(done.human)}:${done.head}`, question: undefined, text }];
  }
  const waiting = waitingPlan({ builder, human, ...roles });
  const plan = waiting === undefined ? [] : [planNotice(id, waiting)];
  const questions = ROLES.flatMap((role) => {
    const { questions } = role === "builder" ? builder : roles[role];
    return questions
      .filter((question) => isUnanswered(question, human))
      .map(({ id: question, ask, isBlocked = false }) => {
        const what = isBlocked ? "cannot continue" : "asks";
        const text = `wisp: ${id}: the ${role} ${what} (${question}): ${ask}`;
        return { about: question, question, text };
      });
  });
  const held = heldBranch({ builder, human, ...roles });
  return [...questions, ...plan, ...(held === undefined ? [] : [heldNotice(id, held)])];
}

function heldNotice(id: string, { unit, directory }: HeldBranch): Notice {
  const free = `git -C ${shellWord(directory)} switch --detach`;
  const text = `wisp: ${id}: nothing can be published while its branch is checked out: ${free}`;
  // Names of milestones and folders may be long.
  const about = createHash("sha256").update(`${unit}\0${directory}`).digest("hex").slice(0, 16);
  return { about: `checked-out:${about}`, question: undefined, text };
}

function planNotice(id: string, { answer, staged }: WaitingPlan): Notice {
  const text = `wisp: ${id}: the plan is waiting for your approval: wisp plan ${id}`;
  // The planner may answer a rejection with the same bytes.
  return { about: `plan:${String(answer.seq)}:${staged.plan}`, question: undefined, text };
}
