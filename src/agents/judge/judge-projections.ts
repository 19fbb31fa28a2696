import {
  encodeFixAccepted,
  encodeFixFailed,
  encodeFixWord,
} from "../../fs-protocol/projections/fix-entries.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { JudgeFold } from "../../session/state/fold-judge.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { ReviewerRecord } from "../../fs-protocol/records/reviewer-log.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { encodeDismissed } from "../../fs-protocol/projections/story-entries.ts";
import type { TesterRecord } from "../../fs-protocol/records/tester-log.ts";
import type { Project, Projection } from "../../home/projector.ts";
import { itemLines } from "./item-lines.ts";

/** The fields of a session that its entries in PROGRESS.txt depend on. */
export type EntrySettings = Pick<SessionJson, "policy" | "progress">;

type JudgeRecord = ReviewerRecord | TesterRecord;
type RecordOf<K extends JudgeRecord["kind"]> = Extract<JudgeRecord, { readonly kind: K }>;

type End = RecordOf<"review.end" | "test.end" | "final.end">;

/** What is written for the end of a judge's own unit, in addition to the lines of the items that it opened. */
export interface EndProjections<E extends End> {
  /** The file of its items: REVIEWS.md or BUGS.md. */
  readonly items: string;
  /** Entries for people, before those lines: who reviewed or tested, what was found, who gave up. */
  readonly entries: (end: E) => readonly Projection[];
  /** Lines below the line of an item that was opened; absent if there are none. */
  readonly evidence?: (end: E, isOpened: (item: Finding) => boolean) => readonly string[][];
  /** After those lines: the checkpoint files, which record what the role has answered. */
  readonly answers: (end: E) => readonly Projection[];
}

/** What is written from a judge's journal: the ends of its units, its verdicts on fixes, and people's dismissals. */
export function judgeProjections<R extends JudgeRecord, E extends R & End>(
  home: Home,
  settings: EntrySettings,
  isEnd: (record: R) => record is E,
  { items: path, entries, evidence, answers }: EndProjections<E>,
): Project<R, JudgeFold> {
  return (record, before, after) => {
    const lines = itemLines(record, before, after);
    const shown = (texts: readonly string[]) => texts.map((text) => ({ path, text }));
    if (!isEnd(record)) return [...judgedEntries(home, settings, record, after), ...shown(lines)];
    const below = evidence?.(record, ({ id }) => !before.open.has(id) && after.open.has(id)) ?? [];
    const items = lines.flatMap((line, index) => shown([line, ...(below[index] ?? [])]));
    // A unit that asks a person has not answered anything yet.
    if (record.outcome === "needs_input" || record.outcome === "blocked") return items;
    return [...entries(record), ...items, ...answers(record)];
  };
}

/**
 * The entry of PROGRESS.txt for what happened to an item after it was opened: a verdict on a fix, or a person's
 * dismissal. In the first form of the file only the last fix that the opener did not accept has an entry.
 */
function judgedEntries(
  home: Home,
  settings: EntrySettings,
  record: JudgeRecord,
  after: JudgeFold,
): readonly Projection[] {
  const text = textOf(settings, record, after);
  return text === undefined ? [] : [{ path: home.progress, text }];
}

function textOf(
  settings: EntrySettings,
  record: JudgeRecord,
  after: JudgeFold,
): string | undefined {
  if (record.kind === "adopt.end") return dismissal(settings, record, after);
  if (record.kind !== "verify.end") return undefined;
  const { id, exhausted } = record;
  const item = after.items.get(id);
  if (item === undefined) return undefined;
  const { time, attempt, reason = "", of, max } = record;
  const attemptsMax = exhausted ?? max ?? settings.policy.fixAttemptsMax;
  const entry = {
    ...{ time, reviewer: item.reviewer, id, attempt, attemptsMax },
    ...{ issue: item.brief, reason },
  };
  // If the builder could not make the last fix, the entry is written from the builder's journal.
  if (exhausted !== undefined && after.open.has(id)) return encodeFixFailed(entry);
  if (settings.progress === undefined) return undefined;
  switch (record.verdict) {
    case "closed":
      return encodeFixAccepted({ ...entry, of });
    case "reopened":
      return encodeFixWord("Reopened", entry);
    case "gaveup":
      return encodeFixWord("Unjudged", entry);
    case "needs_input":
    case "blocked":
      return undefined;
  }
}

function dismissal(
  { progress }: EntrySettings,
  { time, dismiss: id, why = "" }: RecordOf<"adopt.end">,
  after: JudgeFold,
): string | undefined {
  if (progress === undefined || id === undefined) return undefined;
  const item = after.items.get(id);
  if (item === undefined) return undefined;
  return encodeDismissed({ time, reviewer: item.reviewer, id, issue: item.brief, why });
}
