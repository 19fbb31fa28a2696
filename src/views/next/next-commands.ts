import { holdOnAll } from "../../agents/supervisor/session-facts.ts";
import { budgetExample } from "../../agents/supervisor/hold-words.ts";
import type { Oid } from "../../base/oid.ts";
import { ROLES } from "../../base/role.ts";
import { answerCommand } from "../../workspace/session/answer-command.ts";
import { givenUpCommands, takenCommands } from "./closed-commands.ts";
import { adoptCommand } from "../status/kept-edits.ts";
import { laterCommand } from "../../workspace/finished/later-command.ts";
import { laterOf } from "../../workspace/finished/later-commits.ts";
import { bareUrl } from "../../git/remote/remotes.ts";
import { approveCommand } from "./approve-command.ts";
import { pullCommand } from "./pull-command.ts";
import { isAhead } from "../status/remote-status.ts";
import type { RevisionStatus } from "../../workspace/finished/revision-status.ts";
import { heldBranch } from "../../session/steps/held-branch.ts";
import { isUnanswered } from "../../session/state/open-unit.ts";
import { sessionStage } from "../../workspace/session/session-stage.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { NextFacts } from "../../workspace/session/status-facts.ts";
import { stuckCommands } from "./stuck-commands.ts";
import { waitingPlan } from "../../session/steps/waiting-plan.ts";
import { shippedAs } from "../../workspace/finished/shipped-work.ts";

/**
 * The commands that make sense in the session's current state, the best one first. Each changes something or shows
 * progress. For a closed session, the commands fetch or show its work.
 */
export function nextCommands(facts: NextFacts): readonly string[] {
  const { homeWayOn, state } = facts;
  // Every other command is refused until the home is repaired.
  if (homeWayOn !== undefined && state.human.closed === undefined) return [homeWayOn];
  const adopt = adoptCommand(facts);
  return adopt === undefined ? onwards(facts) : [adopt, ...onwards(facts)];
}

function onwards(facts: NextFacts): readonly string[] {
  const { session, state, revisions = [], damagedRevisions = [] } = facts;
  const { closed } = state.human;
  // A damaged revision may not have ended, so nothing else can be done with the session until it is repaired.
  if (closed === undefined && damagedRevisions.length > 0) {
    return damagedRevisions.map(({ repair }) => repair);
  }
  const unfinished = closed === undefined || closed.how === "done" ? active(revisions) : undefined;
  if (unfinished !== undefined) {
    const { session: id, next = [`wisp up ${id}`] } = unfinished;
    return [...next, `wisp abandon ${id}`];
  }
  const { id } = session;
  const answers = answerCommands(facts);
  const plans = plansToDecide(facts);
  switch (sessionStage(facts)) {
    case "asks":
    case "blocked":
      return answers;
    case "approval":
      return plans;
    case "checked-out":
      return freeCommands(facts);
    case "held":
      return heldCommands(facts);
    case "failed":
      return failedCommands(facts);
    case "stuck":
      return stuckCommands(facts);
    case "interrupted":
    case "reopened":
      return [...answers, ...plans, state.human.paused ? `wisp resume ${id}` : `wisp up ${id}`];
    case "paused":
      return [`wisp resume ${id}`];
    case "complete":
      return completeCommands(facts);
    case "approved":
      return laterOf(facts).count > 0 || hasMoved(facts)
        ? completeCommands(facts)
        : [`wisp done ${shippedAs(session)}`];
    case "pushed":
      return [`wisp done ${shippedAs(session)}`];
    case "taken":
      return takenCommands(facts);
    case "rejected":
    case "abandoned":
      return givenUpCommands(facts);
    default:
      // `wisp up` runs the session, or watches it if it is already running.
      return [...answers, ...plans, `wisp up ${id}`];
  }
}

function plansToDecide({ session: { id }, state }: NextFacts): readonly string[] {
  const waiting = waitingPlan(state)?.staged.plan;
  return waiting === undefined ? [] : planCommands(id, waiting);
}

/**
 * Keeps the commit and the files of that work tree, and everything that is not committed there. Where the session runs
 * elsewhere, the work tree is there, too.
 */
function freeCommands({ session, state, mirrors }: NextFacts): readonly string[] {
  const held = heldBranch(state);
  if (held === undefined || mirrors !== undefined) return [`wisp status ${session.id}`];
  return [`git -C ${shellWord(held.directory)} switch --detach`];
}

function active(revisions: readonly RevisionStatus[]): RevisionStatus | undefined {
  return revisions.find(
    ({ state }) => state !== "DONE" && state !== "PR_PUSHED" && state !== "TEARDOWN",
  );
}

/** Commits made after the end are reviewed first: unreviewed work is not shipped. */
function completeCommands(facts: NextFacts): readonly string[] {
  const id = shippedAs(facts.session);
  const later = laterOf(facts);
  if (later.count > 0) return [laterCommand(later, id)];
  if (facts.state.branch.head === undefined && facts.recorded !== undefined) {
    return [putBackCommand(facts, facts.recorded)];
  }
  // A revision of work that was shipped, and the revision was shipped with it.
  if (facts.taken?.isRevisedSince === false) return [`wisp status ${id}`];
  const moved = movedCommands(facts);
  if (moved.length > 0) return moved;
  return [`wisp review ${id}`, `wisp done ${id}`, `wisp revise ${id}`];
}

function hasMoved({ state, remoteSeen }: NextFacts): boolean {
  return isAhead(remoteSeen) && !state.builder.remote.isLeft;
}

/** Commits that others pushed are merged first and then reviewed: wisp never overwrites a push. */
function movedCommands(facts: NextFacts): readonly string[] {
  const { remote } = facts.session.publish;
  if (remote === undefined || !hasMoved(facts)) return [];
  const id = shippedAs(facts.session);
  const pull = pullCommand({ branch: facts.session.branch, remote: bareUrl(remote) });
  return [pull, `wisp resume ${id}`, `wisp done ${id} --no-push`];
}

function answerCommands({ session, state }: NextFacts): readonly string[] {
  return ROLES.flatMap((role) => state[role].questions)
    .filter((question) => isUnanswered(question, state.human))
    .map(({ id }) => answerCommand(session.id, id));
}

/** The plan is looked at before it is approved. */
function planCommands(id: string, sha256: string): readonly string[] {
  return [
    `wisp plan ${id}`,
    approveCommand(id, sha256),
    `wisp plan ${id} --reject "<what to change>"`,
  ];
}

/** A budget is raised with `resume`, `up` follows a login, and a limit expires by itself unless `resume` retries at once. */
function heldCommands({ session: { id }, state, nowMs }: NextFacts): readonly string[] {
  const hold = holdOnAll(state, nowMs);
  if (hold?.kind === "budget") return [`wisp resume ${id} ${budgetExample(hold)}`];
  if (hold?.untilMs !== undefined) return [`wisp up ${id}`, `wisp resume ${id}`];
  return [`wisp up ${id}`];
}

/** If the branch was rewritten, it must be reset first. */
function failedCommands(facts: NextFacts): readonly string[] {
  const up = `wisp up ${facts.session.id}`;
  return facts.recorded === undefined ? [up] : [putBackCommand(facts, facts.recorded), up];
}

function putBackCommand({ session: { branch, repository } }: NextFacts, recorded: Oid): string {
  return `git -C ${shellWord(repository)} branch --force ${shellWord(branch)} ${recorded}`;
}
