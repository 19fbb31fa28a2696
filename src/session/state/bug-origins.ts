import type { Oid } from "../../base/oid.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { TesterRecord } from "../../fs-protocol/records/tester-log.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";

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
