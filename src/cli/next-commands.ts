import { laterCommand } from "./later-command.ts";
import { laterOfOne } from "./later-commits.ts";
import type { SessionJson } from "../fs-protocol/session-json.ts";
import { adoptCommand } from "./kept-edits.ts";
import { shortSha } from "./describe-unit.ts";
import type { RevisionStatus } from "./revisions-view.ts";
import { shellWord } from "./shell-word.ts";
import type { StatusFacts } from "./status-facts.ts";

/** The commands that lead on from where a session stands, the best one first; none where it is closed for good. */
export function nextCommands(facts: StatusFacts): readonly string[] {
  const adopt = adoptCommand(facts);
  return adopt === undefined ? onwards(facts) : [adopt, ...onwards(facts)];
}

function onwards(facts: StatusFacts): readonly string[] {
  const { session, state, revisions = [], later = laterOfOne(facts) } = facts;
  const { id, base, branch } = session;
  const { done } = state.builder;
  if (state.human.closed !== undefined) return [];
  const unfinished = revisions.find(isUnfinished)?.session;
  if (unfinished !== undefined) return [`wisp up ${unfinished}`, `wisp abandon ${unfinished}`];
  if (later.count > 0) return [laterCommand(later, takenAs(session))];
  if (done?.how === "complete")
    return [
      `git log ${shortSha(base)}..${shellWord(branch)}`,
      `wisp review ${takenAs(session)}`,
      `wisp done ${takenAs(session)}`,
    ];
  if (done?.how === "stuck") return [`wisp resume ${id}`];
  return [`wisp up ${id}`];
}

function isUnfinished({ state }: RevisionStatus): boolean {
  return state !== "DONE" && state !== "PR_PUSHED" && state !== "TEARDOWN";
}

/** The session under whose name the work is taken: a revision's is that of its parent. */
export function takenAs({ id, parent }: Pick<SessionJson, "id" | "parent">): string {
  return parent?.id ?? id;
}
