import type { TesterRecord } from "../../fs-protocol/records/tester-log.ts";

type RecordOf<K extends TesterRecord["kind"]> = Extract<TesterRecord, { readonly kind: K }>;

/** Tests that the tester wrote and wisp did not publish, and where they are stored. */
export interface UnpublishedTests {
  /** The unit that wrote them. */
  readonly unit: string;
  /** The git reference that holds them. */
  readonly ref: string;
  readonly why: string;
}

/** Unpublished tests by unit, unless they were published or used since. */
type UnpublishedByUnit = ReadonlyMap<string, UnpublishedTests>;

/** Adds the tests that a note reports as unpublished; they belong to the open unit. */
export function withUnpublished(
  before: UnpublishedByUnit,
  unit: string | undefined,
  { rescue, text }: RecordOf<"note">,
): UnpublishedByUnit {
  if (rescue === undefined || unit === undefined) return before;
  return new Map(before).set(unit, { unit, ref: rescue, why: text });
}

/**
 * Removes the tests of a unit that has published commits after all, or whose bug refers to them for
 * its fix.
 */
export function withoutPublished(
  before: UnpublishedByUnit,
  { unit, commits, bugs }: RecordOf<"test.end"> | RecordOf<"final.end">,
): UnpublishedByUnit {
  const entry = before.get(unit);
  const isAccountedFor = commits.length > 0 || bugs.some(({ tests }) => tests === entry?.ref);
  if (entry === undefined || !isAccountedFor) return before;
  const next = new Map(before);
  next.delete(unit);
  return next;
}
