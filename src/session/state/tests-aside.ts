import type { TesterRecord } from "../../fs-protocol/records/tester-log.ts";

type RecordOf<K extends TesterRecord["kind"]> = Extract<TesterRecord, { readonly kind: K }>;

/** Tests that wisp did not publish, and where they are kept. */
export interface TestsAside {
  /** Of the unit that made them. */
  readonly unit: string;
  /** The reference that holds them. */
  readonly ref: string;
  readonly why: string;
}

/** By unit, those that nothing has made up for since. */
type Aside = ReadonlyMap<string, TestsAside>;

/** With what a note says of work that was not published: it belongs to the unit under way. */
export function asideWith(
  before: Aside,
  unit: string | undefined,
  { rescue, text }: RecordOf<"note">,
): Aside {
  if (rescue === undefined || unit === undefined) return before;
  return new Map(before).set(unit, { unit, ref: rescue, why: text });
}

/** What the unit published after all, or what a bug of it holds for its fix, is not set aside. */
export function asideAfter(
  before: Aside,
  { unit, commits, bugs }: RecordOf<"test.end"> | RecordOf<"final.end">,
): Aside {
  const kept = before.get(unit);
  const isHeld = commits.length > 0 || bugs.some(({ tests }) => tests === kept?.ref);
  if (kept === undefined || !isHeld) return before;
  const next = new Map(before);
  next.delete(unit);
  return next;
}
