import type { Oid } from "../base/oid.ts";
import type { SessionState } from "../fs-protocol/session-state.ts";
import { openHub } from "../git/hub.ts";
import { coordinate } from "../streams/coordinate.ts";
import { gitContext, type Cli } from "./cli.ts";
import type { BranchRewritten } from "./failures.ts";
import type { FoundSession } from "./sessions.ts";

/** Whether a person rewrote or deleted the branch under a session that has not ended. */
export function isRewritten(state: SessionState): boolean {
  const step = coordinate("planner", state, 0);
  return step.kind === "exit" && step.reason === "branch-rewritten";
}

/** That, with the commit that puts the branch right: the furthest that is on record. */
export async function branchRewritten(
  cli: Pick<Cli, "host" | "env">,
  { session }: FoundSession,
  { builder, reviewer, tester }: SessionState,
): Promise<BranchRewritten> {
  const { id, branch, repository, base } = session;
  const hub = openHub(gitContext(cli), repository);
  let furthest: { readonly oid: Oid; readonly commits: number } = { oid: base, commits: 0 };
  for (const oid of [builder.ownEnd, tester.finalAt, reviewer.checkpoint]) {
    const listed = oid === undefined ? undefined : await hub.commits(base, oid);
    // A commit that git has thrown away puts nothing right.
    if (oid === undefined || listed?.ok !== true) continue;
    if (listed.value.length > furthest.commits) furthest = { oid, commits: listed.value.length };
  }
  return { kind: "branch-rewritten", session: id, branch, repository, recorded: furthest.oid };
}
