import type { Oid } from "../../base/oid.ts";

/**
 * Commits that a role's records name as its own: a linked list, newest record first, so that adding
 * a record is cheap.
 */
export interface OwnCommits {
  readonly shas: readonly Oid[];
  readonly before: OwnCommits | undefined;
}

/** Adds the commits of one more record. */
export function withOwn(
  before: OwnCommits | undefined,
  shas: readonly Oid[],
): OwnCommits | undefined {
  return shas.length === 0 ? before : { shas, before };
}

/** Whether a commit is one of them. */
export function isOwn(own: OwnCommits | undefined, sha: Oid): boolean {
  for (let at = own; at !== undefined; at = at.before) if (at.shas.includes(sha)) return true;
  return false;
}
