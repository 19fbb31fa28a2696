import type { TesterRecord } from "../../fs-protocol/records/tester-log.ts";

type RecordOf<K extends TesterRecord["kind"]> = Extract<TesterRecord, { readonly kind: K }>;

/** Tests that wisp did not publish, and where they are kept. */
export interface UnpublishedTests {
  /** Of the unit that made them. */
  readonly unit: string;
  /** The reference that holds them. */
  readonly ref: string;
  readonly why: string;
}

/** By unit, those that nothing has made up for since. */
type UnpublishedByUnit = ReadonlyMap<string, UnpublishedTests>;

/** With what a note says of work that was not published: it belongs to the unit under way. */
export function withUnpublished(
  before: UnpublishedByUnit,
  unit: string | undefined,
  { rescue, text }: RecordOf<"note">,
): UnpublishedByUnit {
  if (rescue === undefined || unit === undefined) return before;
  return new Map(before).set(unit, { unit, ref: rescue, why: text });
}

/** What the unit published after all, or what a bug of it holds for its fix, is not set aside. */
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
