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
import type { Project, Projection } from "../home/projector.ts";
import { itemLines } from "./item-lines.ts";

/** What of a session its entries of PROGRESS.txt depend on. */
export type Told = Pick<SessionJson, "policy" | "progress">;

type JudgeRecord = ReviewerRecord | TesterRecord;
type RecordOf<K extends JudgeRecord["kind"]> = Extract<JudgeRecord, { readonly kind: K }>;

type End = RecordOf<"review.end" | "test.end" | "final.end">;

/** What an end of a judge's own units puts into files, beside the lines of the items that it opened. */
export interface EndProjections<E extends End> {
  /** The file of its items: REVIEWS.md or BUGS.md. */
  readonly items: string;
  /** For people, before those lines: who looked, what was found, who gave up. */
  readonly entries: (end: E) => readonly Projection[];
  /** Below the line of an item that was opened; left out: nothing. */
  readonly evidence?: (end: E, isOpened: (item: Finding) => boolean) => readonly string[][];
  /** After them: what is answered from now on. */
  readonly answers: (end: E) => readonly Projection[];
}

/** What a judge's journal puts into other files: its ends, its verdicts on fixes, and what people dismissed. */
export function judgeProjections<R extends JudgeRecord, E extends R & End>(
  home: Home,
  told: Told,
  isEnd: (record: R) => record is E,
  { items: path, entries, evidence, answers }: EndProjections<E>,
): Project<R, JudgeFold> {
  return (record, before, after) => {
    const lines = itemLines(record, before, after);
    const shown = (texts: readonly string[]) => texts.map((text) => ({ path, text }));
    if (!isEnd(record)) return [...judgedEntries(home, told, record, after), ...shown(lines)];
    const below = evidence?.(record, ({ id }) => !before.open.has(id) && after.open.has(id)) ?? [];
    const items = lines.flatMap((line, index) => shown([line, ...(below[index] ?? [])]));
    // Nothing is answered yet where a person is asked.
    if (record.outcome === "needs_input" || record.outcome === "blocked") return items;
    return [...entries(record), ...items, ...answers(record)];
  };
}

/**
 * What becomes of an item after it was opened, as an entry of PROGRESS.txt: each verdict on a fix, and a
 * person's dismissal. In the first form only the last fix that its opener did not accept has one.
 */
function judgedEntries(
  home: Home,
  told: Told,
  record: JudgeRecord,
  after: JudgeFold,
): readonly Projection[] {
  const text = textOf(told, record, after);
  return text === undefined ? [] : [{ path: home.progress, text }];
}

function textOf(told: Told, record: JudgeRecord, after: JudgeFold): string | undefined {
  if (record.kind === "adopt.end") return dismissal(told, record, after);
  if (record.kind !== "verify.end") return undefined;
  const { id, exhausted } = record;
  const item = after.items.get(id);
  if (item === undefined) return undefined;
  const { time, attempt, reason = "", of, max } = record;
  const attemptsMax = exhausted ?? max ?? told.policy.fixAttemptsMax;
  const entry = {
    ...{ time, reviewer: item.reviewer, id, attempt, attemptsMax },
    ...{ issue: item.brief, reason },
  };
  // Of an item whose last fix the builder could not make the builder has the entry.
  if (exhausted !== undefined && after.open.has(id)) return encodeFixFailed(entry);
  if (told.progress === undefined) return undefined;
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
  { progress }: Told,
  { time, dismiss: id, why = "" }: RecordOf<"adopt.end">,
  after: JudgeFold,
): string | undefined {
  if (progress === undefined || id === undefined) return undefined;
  const item = after.items.get(id);
  if (item === undefined) return undefined;
  return encodeDismissed({ time, reviewer: item.reviewer, id, issue: item.brief, why });
}
