import type { Role } from "../../src/base/role.ts";
import { isSpent } from "../../src/session/state/builder-state.ts";
import { type Done, lastEndOf, haltOf } from "../../src/session/state/stage.ts";
import { isStalemate } from "../../src/session/state/fold-judge.ts";
import { pendingEdit } from "../../src/session/rules/plan-edit.ts";
import { holdsUp, type Policy } from "../../src/fs-protocol/home/policy.ts";
import { isOnlyReported } from "../../src/session/steps/log-summaries.ts";
import type { Broken } from "./broken.ts";
import { isBentAt, isRedAt, type History } from "./history.ts";
import { BASE_TESTS } from "./names.ts";

/** Roles that have begun a unit and not ended it. */
export function openRoles({ builder, planner, reviewer, tester }: History): readonly Role[] {
  const open: Role[] = [];
  if (planner.fold.open !== undefined) open.push("planner");
  if (builder.fold.open !== undefined) open.push("builder");
  if (reviewer.fold.openUnit !== undefined) open.push("reviewer");
  if (tester.fold.openUnit !== undefined) open.push("tester");
  return open;
}

/**
 * I9 and I10, once the session has ended: what `complete` promises, that the final phase does not end stuck while its
 * items may still be fixed, and that no unit is left open.
 */
export function endingBroken(
  history: History,
  open: readonly Role[],
  policy: Policy,
): Broken | undefined {
  const done = lastEndOf(history.builder.fold);
  const { records } = history.builder;
  const last = records.findLast(({ kind }) => kind === "done" || kind === "reopen");
  if (last?.kind === "done" && done === undefined)
    return { invariant: "I9", what: "an end that does not follow from the records" };
  if (done === undefined) return undefined;
  const left = open.find((role) => done.how === "complete" || !done.failed.includes(role));
  if (left !== undefined)
    return { invariant: "I10", what: `done while the ${left}'s unit is open` };
  const unheard = leftOut(history, done);
  if (unheard !== undefined) return { invariant: "L2", what: `${done.how} with ${unheard}` };
  const wrong =
    done.how === "complete" ? lacking(history, done, policy) : fixable(history, done, policy);
  return wrong === undefined ? undefined : { invariant: "I9", what: `${done.how} with ${wrong}` };
}

/** A person's record about an item that the builder has read and the item's opener never adopted. */
function leftOut({ human, reviewer, tester }: History, done: Done): string | undefined {
  const opened = { reviewer: reviewer.fold, tester: tester.fold } as const;
  for (const [opener, { human: cursor }] of Object.entries(opened)) {
    const isIts = (id: string) => id.startsWith("BUG-") === (opener === "tester");
    const item = human.fold.items.find(
      ({ index, ...said }) =>
        index >= cursor &&
        index < done.human &&
        isIts(said.kind === "add" ? said.finding.id : said.id),
    );
    const isLost = done.failed.some((role) => role === opener);
    if (item !== undefined && !isLost) return `a word that the ${opener} never took over`;
  }
  return undefined;
}

/** Items that leave the final phase stuck although they have attempts left, and it has rounds. */
function fixable(history: History, done: Done, policy: Policy): string | undefined {
  const { fold } = history.builder;
  const isOver = done.failed.length > 0 || haltOf(fold) !== undefined;
  if (isOver || fold.stretch.rounds >= policy.fixRoundsMax) return undefined;
  const judges = [history.reviewer, history.tester];
  // Whether a person has said by then that everything is to be fixed.
  const isAllToFix = history.human.records
    .slice(0, done.human)
    .some((record) => record.kind === "resume" && record.fix === "all");
  const isLeft = (id: string) =>
    isSpent(fold, id, policy) ||
    judges.some(
      (judge) =>
        isStalemate(judge.fold, id, fold.reopens) ||
        (!isAllToFix && judge.fold.items.has(id) && isOnlyReported(judge.fold, id, policy)),
    );
  const left = openItems(history, done, policy).filter((id) => !isLeft(id));
  return left.length > 0 ? `${left.join()} still to be fixed` : undefined;
}

/** What is missing from a session that calls itself complete. */
function lacking(history: History, done: Done, policy: Policy): string | undefined {
  const { builder, reviewer, tester } = history;
  const open = openItems(history, done, policy);
  const unjudged = builder.fold.milestones.find(
    ({ name }) => !reviewer.fold.answered.has(name) || !tester.fold.answered.has(name),
  );
  const ended = new Set(builder.fold.milestones.map(({ name }) => name));
  if (!builder.fold.plan.every(({ name }) => ended.has(name))) return "unticked tasks";
  if (open.length > 0) return `open ${open.join()}`;
  if ((reviewer.fold.checkpoint ?? history.branch.fold.base) !== done.head)
    return "unreviewed commits";
  if (tester.fold.finalAt !== done.head) return "no final pass at HEAD";
  const { finalVerify = "nobody" } = tester.fold;
  if (finalVerify === "nobody" || finalVerify === "red") return `verify ${finalVerify} at HEAD`;
  if (finalVerify !== "excused" && isRedAt(history.branch, done.head)) return "a red HEAD";
  if (!tester.fold.dismissed.has(BASE_TESTS) && isBentAt(history.branch, done.head))
    return "old tests that fail at HEAD";
  if (unjudged !== undefined) return `${unjudged.name} not reviewed or not tested`;
  if (gaveUp(history, done)) return "a unit that gave up";
  const edit = pendingEdit(history.human.fold, builder.fold);
  if (edit !== undefined && edit.index < done.human) return "an edit left out";
  if (builder.fold.planRequest < updatesRead(history, done)) return "an update left unplanned";
  return done.failed.length > 0 ? `no answer of the ${done.failed.join()}` : undefined;
}

/**
 * Items that prevent `complete`. Those that a person added after the end reopen the session, but the end was still
 * correct.
 */
function openItems({ reviewer, tester }: History, done: Done, policy: Policy): readonly string[] {
  const later = new Set<string>();
  for (const record of reviewer.records) {
    if (record.kind !== "adopt.end" || record.human < done.human) continue;
    if (record.finding !== undefined) later.add(record.finding.id);
  }
  return [reviewer.fold, tester.fold].flatMap(({ open, items }) =>
    [...open].filter((id) => {
      const level = items.get(id)?.level;
      return level !== undefined && holdsUp(level, policy) && !later.has(id);
    }),
  );
}

function updatesRead({ human }: History, done: Done): number {
  return human.records.slice(0, done.human).filter(({ kind }) => kind === "update").length;
}

function gaveUp(history: History, done: Done): boolean {
  const { planner, reviewer, tester } = history;
  const answer = planner.fold.answers.at(-1);
  const isPlanLost =
    answer?.gaveUpAtReopens !== undefined && answer.request <= updatesRead(history, done);
  const isUnitLost = reviewer.fold.gaveUp.size + tester.fold.gaveUp.size > 0;
  return isPlanLost || isUnitLost || tester.fold.finalGaveUp;
}
