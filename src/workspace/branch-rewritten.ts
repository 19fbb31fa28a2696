import { EXIT } from "../base/exit-code.ts";
import { refusal } from "../base/failure.ts";
import { shellWord } from "../base/words/shell-word.ts";
import { shown } from "../base/words/shown.ts";
import type { Oid } from "../base/oid.ts";
import type { SessionState } from "../session/state/session-state.ts";
import { coordinate } from "../session/steps/coordinate.ts";
import { sessionHub } from "./session/session-hub.ts";
import type { World } from "./world.ts";
import type { FoundSession } from "./sessions.ts";

interface Rewritten {
  readonly session: string;
  readonly branch: string;
  readonly repository: string;
  /** The last recorded commit of the session. */
  readonly recorded: string;
}

/** A person rewrote or deleted the branch of a session. */
export const BranchRewritten = refusal(
  "branch-rewritten",
  EXIT.stuck,
  ({ branch, repository, recorded, session }: Rewritten) => [
    `The branch '${shown(branch)}' was rewritten or deleted: ${recorded.slice(0, 12)}, which the session ` +
      "has on record, is not on it any more.",
    "wisp forces nothing. To put the branch back to that commit, and go on:",
    `git -C ${shellWord(repository)} branch --force ${shellWord(branch)} ${recorded}`,
    `wisp up ${session}`,
  ],
);
export type BranchRewritten = ReturnType<typeof BranchRewritten>;

/** Checks whether a person rewrote or deleted the branch of a session that has not ended. */
export function isRewritten(state: SessionState): boolean {
  const step = coordinate("planner", state, 0);
  return step.kind === "exit" && step.reason === "branch-rewritten";
}

/**
 * The failure, with the commit that repairs the branch: the furthest recorded one that the
 * repository has.
 */
export async function branchRewritten(
  world: Pick<World, "host" | "env">,
  found: FoundSession,
  { builder, reviewer, tester }: SessionState,
): Promise<BranchRewritten> {
  const { id, branch, repository, base } = found.session;
  const hub = sessionHub(world, found);
  let furthest: { readonly oid: Oid; readonly commits: number } = { oid: base, commits: 0 };
  for (const oid of [builder.ownEnd, tester.finalAt, reviewer.checkpoint]) {
    const listed = oid === undefined ? undefined : await hub.commits(base, oid);
    // A commit that git has deleted cannot repair the branch.
    if (oid === undefined || listed?.ok !== true) continue;
    if (listed.value.length > furthest.commits) furthest = { oid, commits: listed.value.length };
  }
  return BranchRewritten({ session: id, branch, repository, recorded: furthest.oid });
}
