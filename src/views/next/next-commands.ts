import { holdOnAll } from "../../agents/supervisor/session-facts.ts";
import { budgetExample } from "../../agents/supervisor/hold-words.ts";
import type { Oid } from "../../base/oid.ts";
import { ROLES } from "../../base/role.ts";
import { answerCommand } from "../../workspace/session/answer-command.ts";
import { givenUpCommands, takenCommands } from "./closed-commands.ts";
import { adoptCommand } from "../status/kept-edits.ts";
import { laterCommand } from "../../workspace/finished/later-command.ts";
import { laterOf } from "../../workspace/finished/later-commits.ts";
import { bareUrl } from "../../git/repository/remotes.ts";
import { pullCommand } from "./pull-command.ts";
import { isAhead } from "../status/remote-status.ts";
import type { RevisionStatus } from "../../workspace/finished/revision-status.ts";
import { sessionStage } from "../../workspace/session/session-stage.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { NextFacts } from "../../workspace/session/status-facts.ts";
import { stuckCommands } from "./stuck-commands.ts";
import { takenAs } from "../../workspace/finished/taken-work.ts";

/**
 * The commands that lead on from where a session stands, the best one first: each changes something, or shows
 * what goes on. Where it is closed for good they have or show its work.
 */
export function nextCommands(facts: NextFacts): readonly string[] {
  const { homeWayOn, state } = facts;
  // Every other command is refused until then.
  if (homeWayOn !== undefined && state.human.closed === undefined) return [homeWayOn];
  const adopt = adoptCommand(facts);
  return adopt === undefined ? onwards(facts) : [adopt, ...onwards(facts)];
}

function onwards(facts: NextFacts): readonly string[] {
  const { session, state, revisions = [], damagedRevisions = [] } = facts;
  const { closed } = state.human;
  // Whether such a one has ended nobody knows: it holds up whatever is to be done with the whole.
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
  const stage = sessionStage(facts);
  switch (stage) {
    case "asks":
    case "blocked":
      return answers;
    case "held":
      return heldCommands(facts);
    case "failed":
      return failedCommands(facts);
    case "stuck":
      return stuckCommands(facts);
    case "interrupted":
    case "reopened":
      return [...answers, state.human.paused ? `wisp resume ${id}` : `wisp up ${id}`];
    case "paused":
      return [`wisp resume ${id}`];
    case "complete":
      return completeCommands(facts);
    case "approved":
      return laterOf(facts).count > 0 || hasMoved(facts)
        ? completeCommands(facts)
        : [`wisp done ${takenAs(session)}`];
    case "pushed":
      return [`wisp done ${takenAs(session)}`];
    case "taken":
      return takenCommands(facts);
    case "rejected":
    case "abandoned":
      return givenUpCommands(facts);
    default:
      // To run it, or to watch it.
      return [...answers, `wisp up ${id}`];
  }
}

function active(revisions: readonly RevisionStatus[]): RevisionStatus | undefined {
  return revisions.find(
    ({ state }) => state !== "DONE" && state !== "PR_PUSHED" && state !== "TEARDOWN",
  );
}

/** Commits that came after the end are looked at first: nothing is taken without. */
function completeCommands(facts: NextFacts): readonly string[] {
  const id = takenAs(facts.session);
  const later = laterOf(facts);
  if (later.count > 0) return [laterCommand(later, id)];
  if (facts.state.branch.head === undefined && facts.recorded !== undefined) {
    return [putBackCommand(facts, facts.recorded)];
  }
  // A revision of work that was taken, and it with that.
  if (facts.taken?.isRevisedSince === false) return [`wisp status ${id}`];
  const moved = movedCommands(facts);
  if (moved.length > 0) return moved;
  return [`wisp review ${id}`, `wisp done ${id}`, `wisp revise ${id}`];
}

function hasMoved({ state, remoteSeen }: NextFacts): boolean {
  return isAhead(remoteSeen) && !state.builder.remote.isLeft;
}

/** What others pushed is merged first, and then reviewed: wisp pushes over nothing. */
function movedCommands(facts: NextFacts): readonly string[] {
  const { remote } = facts.session.publish;
  if (remote === undefined || !hasMoved(facts)) return [];
  const id = takenAs(facts.session);
  const pull = pullCommand({ branch: facts.session.branch, remote: bareUrl(remote) });
  return [pull, `wisp resume ${id}`, `wisp done ${id} --no-push`];
}

function answerCommands({ session, state }: NextFacts): readonly string[] {
  return ROLES.flatMap((role) => state[role].questions)
    .filter(({ id }) => !state.human.answers.has(id))
    .map(({ id }) => answerCommand(session.id, id));
}

/** A budget is raised; whoever says `up` has seen to a login; a limit ends by itself, or `resume` tries at once. */
function heldCommands({ session: { id }, state, nowMs }: NextFacts): readonly string[] {
  const hold = holdOnAll(state, nowMs);
  if (hold?.kind === "budget") return [`wisp resume ${id} ${budgetExample(hold)}`];
  if (hold?.untilMs !== undefined) return [`wisp up ${id}`, `wisp resume ${id}`];
  return [`wisp up ${id}`];
}

/** A branch that was rewritten is put back first. */
function failedCommands(facts: NextFacts): readonly string[] {
  const up = `wisp up ${facts.session.id}`;
  return facts.recorded === undefined ? [up] : [putBackCommand(facts, facts.recorded), up];
}

function putBackCommand({ session: { branch, repository } }: NextFacts, recorded: Oid): string {
  return `git -C ${shellWord(repository)} branch --force ${shellWord(branch)} ${recorded}`;
}
