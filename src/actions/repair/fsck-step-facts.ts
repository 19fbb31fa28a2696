import { join } from "node:path";
import { Oid } from "../../base/oid.ts";
import { ROLES } from "../../base/role.ts";
import { classOf } from "../../fs-protocol/home/home-issue.ts";
import { clonesDirectory } from "../../fs-protocol/home/session-json.ts";
import { askCheckedOut } from "../../git/repository/branches.ts";
import { userEnvironment } from "../../git/command/git-environment.ts";
import { gitIn } from "../../git/command/git.ts";
import { knownCommits } from "../../git/repository/known-objects.ts";
import { entryKind } from "../../host/files/entry-kind.ts";
import { branchRewritten, isRewritten } from "../../workspace/branch-rewritten.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import type { StepFacts } from "./fsck-steps.ts";
import type { FoundIssue } from "../../workspace/home/inspect-home.ts";
import { readStatus } from "../../views/status/read-status.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { sessionsOf } from "../../workspace/shown-path.ts";

/**
 * Reads what determines the next step for each issue. If everything in a home can be repaired,
 * reads nothing.
 */
export async function readStepFacts(
  world: World,
  found: FoundSession,
  issues: readonly FoundIssue[],
): Promise<StepFacts> {
  const hasHome = (id: string) => entryKind(join(sessionsOf(found.home), id)) !== undefined;
  const nothing: StepFacts = {
    ...{ found, hasHome, isClosed: false, next: [], recorded: undefined },
    ...{ checkedOutAt: undefined, isHeldUp: false, clones: new Map<string, string>() },
  };
  if (issues.every((issue) => classOf(issue).canRepair)) return nothing;
  const read = await readStatus(world, found);
  if (!read.ok) return nothing;
  const { view, state } = read.value;
  const { repository, branch } = found.session;
  const git = gitIn(repository, userEnvironment(world.env, repository));
  return {
    ...nothing,
    isClosed: view.closed !== undefined,
    next: view.next,
    recorded: (await branchRewritten(world, found, state)).recorded,
    checkedOutAt: await askCheckedOut(git, branch),
    isHeldUp: isRewritten(state),
    clones: await clonesWith(world, found, missingIn(issues)),
  };
}

function missingIn(issues: readonly FoundIssue[]): readonly Oid[] {
  return issues.flatMap((issue) => {
    const sha = issue.kind === "commit-missing" ? Oid.safeParse(issue.sha) : undefined;
    return sha?.success === true ? [sha.data] : [];
  });
}

/** For each commit, a clone of the session that has it. */
async function clonesWith(
  world: World,
  { session }: FoundSession,
  wanted: readonly Oid[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const role of ROLES) {
    const clone = join(clonesDirectory(session, role), "clone");
    const left = wanted.filter((sha) => !found.has(sha));
    if (left.length === 0 || entryKind(clone) !== "directory") continue;
    const known = await knownCommits(gitContext(world), clone, left);
    const there = known.ok ? [...known.value] : [];
    there.forEach((sha) => found.set(sha, clone));
  }
  return found;
}
