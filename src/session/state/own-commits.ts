import type { Oid } from "../../base/oid.ts";

/** Beyond this length, a list of commits is not copied again to add one. */
const LIST_MIN = 512;

/**
 * Commits that a role's records name as its own, in the order of the records; in lists, so that
 * adding a record is cheap.
 */
export type OwnCommits = readonly (readonly Oid[])[];

/** Adds the commits of one more record. */
export function withOwn(
  before: OwnCommits | undefined,
  shas: readonly Oid[],
): OwnCommits | undefined {
  if (shas.length === 0) return before;
  const lists = before ?? [];
  const last = lists.at(-1);
  const added = shas.map(apart);
  if (last === undefined || last.length >= LIST_MIN) return [...lists, added];
  return [...lists.slice(0, -1), [...last, ...added]];
}

/** The same text, but not as a slice of its line, all of which it would keep in memory. */
function apart(sha: Oid): Oid {
  return Buffer.from(sha, "latin1").toString("latin1");
}

/** Whether a commit is one of them. */
export function isOwn(own: OwnCommits | undefined, sha: Oid): boolean {
  // The newest are asked about most.
  return own?.findLast((list) => list.includes(sha)) !== undefined;
}
