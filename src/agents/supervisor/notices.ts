import { createHash } from "node:crypto";
import { ROLES } from "../../base/role.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { isUnanswered } from "../../session/state/open-unit.ts";
import { isDoneUnverified, withNothingVerified } from "../../session/rules/nothing-verified.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { waitingPlan, type WaitingPlan } from "../../session/steps/waiting-plan.ts";
import { heldBranch, type HeldBranch } from "../../session/steps/held-branch.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { inSentences } from "../../base/words/in-sentences.ts";
import { holdWords } from "./hold-words.ts";
import { holdOnAll, sessionFacts, waitsForPerson, type SessionFacts } from "./session-facts.ts";
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

/**
 * The notices that the present state calls for: the end, or everything that a session waits for a person for.
 *
 * @param nowMs milliseconds since 1970
 */
export function noticesOf(
  { builder, human, ...roles }: SessionState,
  { id }: Pick<SessionJson, "id">,
  nowMs: number,
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
  const state = { builder, human, ...roles };
  const held = heldBranch(state);
  return [
    ...questions,
    ...plan,
    ...(held === undefined ? [] : [heldNotice(id, held)]),
    ...holdNotices(id, state, nowMs),
    ...failedNotices(id, state, sessionFacts(state, nowMs)),
  ];
}

/** A login, a budget: what holds up everything until a person ends it. */
function holdNotices(id: string, state: SessionState, nowMs: number): readonly Notice[] {
  const hold = holdOnAll(state, nowMs);
  const asks = hold && waitsForPerson(state, nowMs);
  if (hold === undefined || asks !== holdWords(hold, nowMs)) return [];
  const facts =
    hold.kind === "engine"
      ? [hold.engine, hold.sinceMs, hold.reason]
      : [hold.milestone, hold.of, hold.allowed];
  const text = `wisp: ${id} waits: ${holdWords(hold, nowMs)}`;
  return [{ about: `hold:${shortHash(JSON.stringify(facts))}`, question: undefined, text }];
}

/** What goes on only once a person has seen to it. */
function failedNotices(
  id: string,
  state: SessionState,
  facts: Pick<SessionFacts, "failed" | "isRewritten">,
): readonly Notice[] {
  const failed = [...facts.failed].map(([role, reason]): Notice => {
    const why = inSentences(reason);
    const text = `wisp: ${id}: the ${role} failed for good: ${why} To try again: wisp up ${id}`;
    return {
      about: `failed:${role}:${String(state.supervisor.failures)}`,
      question: undefined,
      text,
    };
  });
  if (!facts.isRewritten) return failed;
  const text = `wisp: ${id}: its branch was rewritten or deleted: wisp status ${id}`;
  return [...failed, { about: `rewritten:${state.branch.head ?? ""}`, question: undefined, text }];
}

/** Names of milestones and folders, and reasons, may be long. */
function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function heldNotice(id: string, { unit, directory }: HeldBranch): Notice {
  const free = `git -C ${shellWord(directory)} switch --detach`;
  const text = `wisp: ${id}: nothing can be published while its branch is checked out: ${free}`;
  const about = `checked-out:${shortHash(`${unit}\0${directory}`)}`;
  return { about, question: undefined, text };
}

function planNotice(id: string, { answer, staged }: WaitingPlan): Notice {
  const text = `wisp: ${id}: the plan is waiting for your approval: wisp plan ${id}`;
  // The planner may answer a rejection with the same bytes.
  return { about: `plan:${String(answer.seq)}:${staged.plan}`, question: undefined, text };
}
