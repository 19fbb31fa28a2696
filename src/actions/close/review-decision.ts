import { CannotGoOn, need } from "../../base/fatal.ts";
import { refusal } from "../../base/failure.ts";
import { EXIT } from "../../base/exit-code.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import type { HumanFold } from "../../session/state/fold-human.ts";
import { reviewState, reviewTransition } from "../../session/rules/review-machine.ts";
import type { ArchivedBranch } from "../../git/repository/kept-refs.ts";
import { appendHuman, type HumanEntry } from "../../workspace/session/append-human.ts";
import type { World } from "../../workspace/world.ts";
import { endSession } from "./end-session.ts";
import { branchRewritten, type BranchRewritten } from "../../workspace/branch-rewritten.ts";
import { illegalReview, type IllegalReviewed } from "../../workspace/finished/illegal-review.ts";
import { partsOf, type FinishedWork } from "../../workspace/finished/finished-work.ts";
import { laterCommits } from "../../workspace/finished/later-commits.ts";
import { laterCommand, laterWords } from "../../workspace/finished/later-command.ts";
import type { LaterCommits } from "../../workspace/finished/later-facts.ts";
import { mustLeavePlace } from "../elsewhere/leave-place.ts";
import { sayThere } from "../elsewhere/say-there.ts";
import { putBranchAway } from "./put-branch-away.ts";
import { tellHeld } from "./held-clone.ts";
import { tearDown, type TornDown } from "./tear-down.ts";

/** Finished work cannot be approved because it has unreviewed commits. */
export const NotReviewed = refusal(
  "not-reviewed",
  EXIT.stuck,
  ({ session, later }: { readonly session: string; readonly later: LaterCommits }) => [
    `${shown(session)} cannot be approved: ${laterWords(later)}.`,
    "Nothing was recorded. First have them reviewed and tested:",
    laterCommand(later, session),
  ],
);
type NotReviewed = ReturnType<typeof NotReviewed>;

/** Whether the decision was recorded now, or was already on record. */
export interface Decided {
  readonly isNew: boolean;
}

/**
 * Records that a person approves the work, as they reviewed it. Of a concurrent approval and
 * rejection exactly one counts: the lock of the file that both are written to decides. Like `done`,
 * it is refused while there are unreviewed commits, because the approved work could not be shipped.
 */
export async function approveWork(world: World, work: FinishedWork): Promise<Decided> {
  const untakable = await notToTake(world, work);
  if (untakable !== undefined) throw new CannotGoOn(untakable);
  if (work.stage === "APPROVED") return { isNew: false };
  if (work.found.mirrors !== undefined) return decideThere(world, work, "--approve");
  return decide(world, work, "approve");
}

/**
 * Why the work cannot be approved or rejected as it stands; undefined if it can be, or already was.
 */
export async function refusedDecision(
  world: World,
  work: FinishedWork,
  by: "approve" | "reject",
): Promise<IllegalReviewed | BranchRewritten | NotReviewed | undefined> {
  const untakable = by === "approve" ? await notToTake(world, work) : undefined;
  if (untakable !== undefined) return untakable;
  const isAgain = by === "approve" ? work.stage === "APPROVED" : work.stage === "REJECTED";
  return isAgain ? undefined : refusalOf(work, work.state.human, by);
}

/** Why `done` would not ship finished work: its branch is gone, or has unreviewed commits. */
async function notToTake(
  world: World,
  work: FinishedWork,
): Promise<BranchRewritten | NotReviewed | undefined> {
  const { found, state, head, stage } = work;
  const isFinished = stage === "PENDING_REVIEW" || stage === "APPROVED";
  if (!isFinished || state.human.closed !== undefined) return undefined;
  if (head === undefined) return branchRewritten(world, found, state);
  const later = laterCommits(partsOf(work));
  return later.count === 0 ? undefined : NotReviewed({ session: found.session.id, later });
}

/** What happened to rejected work; `branch` and `torn` are found again when it is rejected twice. */
export interface Rejected extends Decided {
  readonly branch: ArchivedBranch | undefined;
  readonly torn: TornDown;
}

/**
 * Rejects the work for good: records that, removes the clones and puts the branch away. All commits
 * and uncommitted work stay under refs in `refs/wisp/rescue/`. Run again, it does what a killed run
 * left undone.
 */
export async function rejectWork(world: World, work: FinishedWork): Promise<Rejected> {
  const { found, revisions, state } = work;
  const isAgain = state.human.closed?.how === "rejected";
  const isHere = found.mirrors === undefined;
  const decided = isAgain
    ? { isNew: false }
    : isHere
      ? await decide(world, work, "reject")
      : await decideThere(world, work, "--reject");
  const again = `wisp review ${shellWord(found.session.id)} --reject`;
  if (!isHere) await mustLeavePlace(world, found, { again });
  for (const one of [...revisions.map((revision) => revision.found), found]) {
    await endSession(world, one);
  }
  const torn = await tearDown(world, found);
  tellHeld(world, torn.held);
  return { ...decided, branch: await putBranchAway(world, found, torn), torn };
}

/** Has the wisp at the session's place record the decision about exactly this work. */
async function decideThere(
  world: World,
  { found, diffId }: FinishedWork,
  decision: "--approve" | "--reject",
): Promise<Decided> {
  const about = diffId === undefined ? [] : ["--diff-id", diffId];
  await sayThere(world, found, ["review", found.session.id, decision, "--yes", ...about]);
  return { isNew: true };
}

/** Appends the record, if the state read under the lock allows it. */
async function decide(
  world: World,
  work: FinishedWork,
  kind: "approve" | "reject",
): Promise<Decided> {
  const { found, head } = work;
  let refused: IllegalReviewed | undefined;
  need(
    await appendHuman(world, found, (human): HumanEntry | undefined => {
      refused = refusalOf(work, human, kind);
      if (refused !== undefined) return undefined;
      return head === undefined ? { kind } : { kind, at: head };
    }),
  );
  if (refused !== undefined) throw new CannotGoOn(refused);
  return { isNew: true };
}

/** Takes into account what people decided since the work was read. */
function refusalOf(
  { found, state, revisions }: FinishedWork,
  human: HumanFold,
  by: "approve" | "reject",
): IllegalReviewed | undefined {
  const isBeingRevised = human.revision > state.human.revision;
  const stage = reviewState(
    { ...state, human },
    revisions.map((revision) => revision.state),
  );
  const next = reviewTransition(isBeingRevised ? "REVISION_REQUESTED" : stage, by);
  return next.ok ? undefined : illegalReview(found.session.id, next.failure);
}
