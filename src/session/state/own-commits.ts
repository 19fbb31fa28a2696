import type { Oid } from "../../base/oid.ts";

/** Commits that a role's records name as its own, newest first: each record adds in front of those before. */
export interface OwnCommits {
  readonly shas: readonly Oid[];
  readonly before: OwnCommits | undefined;
}

/** With the commits of one more record. */
export function withOwn(
  before: OwnCommits | undefined,
  shas: readonly Oid[],
): OwnCommits | undefined {
  return shas.length === 0 ? before : { shas, before };
}

/** Whether a commit is among them. */
export function isOwn(own: OwnCommits | undefined, sha: Oid): boolean {
  for (let at = own; at !== undefined; at = at.before) if (at.shas.includes(sha)) return true;
  return false;
}
