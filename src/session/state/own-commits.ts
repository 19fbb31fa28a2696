import type { Oid } from "../../base/oid.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { TesterRecord } from "../../fs-protocol/records/tester-log.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";

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

/** What the tester had tested when it reported a bug, and the commits of its own that came with the bug. */
export interface BugOrigin {
  readonly at: Oid;
  readonly commits: readonly Oid[];
}

type BugOrigins = ReadonlyMap<string, BugOrigin>;

/** Adds the origin of bugs that a unit's end opens. */
export function withOrigins(
  before: BugOrigins,
  bugs: readonly Pick<Finding, "id">[],
  record: Extract<TesterRecord, { readonly kind: "test.end" | "final.end" }>,
): BugOrigins {
  const at = testedAt(record);
  if (bugs.length === 0 || at === undefined) return before;
  const { commits } = record;
  return new Map([...before, ...bugs.map(({ id }) => [id, { at, commits }] as const)]);
}

function testedAt(record: Parameters<typeof withOrigins>[2]): Oid | undefined {
  if (record.kind === "final.end") return record.at;
  const unit = decodeUnit(record.unit);
  return unit?.kind === "test" ? unit.end : undefined;
}
