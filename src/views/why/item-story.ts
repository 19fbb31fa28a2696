import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { openerOf } from "../../fs-protocol/records/item-id.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import { fixedIds } from "../../session/state/fold-builder.ts";
import type { KnownSession } from "./known-session.ts";
import { stepsWhere, type RecordedStep } from "./step.ts";

/** A finding or bug on one line, with its end. */
export interface ItemSummary {
  readonly id: string;
  readonly level: Finding["level"];
  readonly brief: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly state: "open" | "closed" | "dismissed";
  /** What closed it; null while it is open, and if that is not on record. */
  readonly closing: RecordedStep | null;
}

/** Everything on record about a finding or bug. */
export interface ItemStory {
  readonly kind: "finding" | "bug";
  readonly finding: Finding;
  readonly state: ItemSummary["state"];
  /** The first opened it; later ones found the same again. */
  readonly openings: readonly RecordedStep[];
  readonly fixes: readonly RecordedStep[];
  readonly rechecks: readonly RecordedStep[];
  /** What a person recorded about it, and who adopted that. */
  readonly decisions: readonly RecordedStep[];
}

/** Every finding and bug that a session's records name, by id, as first recorded. */
export function itemsNamedIn(known: KnownSession): ReadonlyMap<string, Finding> {
  // Reversed, because the last of the same key stays in a map.
  return new Map(
    known.records
      .flatMap(foundIn)
      .reverse()
      .map((finding) => [finding.id, finding]),
  );
}

/** The findings or bugs that a record opens. */
export function foundIn({ record }: LogRecord): readonly Finding[] {
  if (record.kind === "review.end") return record.findings;
  if (record.kind === "test.end" || record.kind === "final.end") return record.bugs;
  if (record.kind === "add") return [record.finding];
  return record.kind === "adopt.end" && "finding" in record && record.finding !== undefined
    ? [record.finding]
    : [];
}

/** The story of an item; undefined if no record opens it. */
export function itemStory(known: KnownSession, id: string): ItemStory | undefined {
  const finding = itemsNamedIn(known).get(id);
  if (finding === undefined) return undefined;
  const opener = openerOf(id);
  return {
    kind: opener === "tester" ? "bug" : "finding",
    finding,
    state: stateOf(known, id),
    openings: stepsWhere(known, (entry) => foundIn(entry).some((one) => one.id === id)),
    fixes: stepsWhere(
      known,
      ({ record }) => record.kind === "fix.end" && fixedIds(record).includes(id),
    ),
    rechecks: stepsWhere(known, ({ record }) => isRecheck(record, id)),
    decisions: stepsWhere(known, (entry) => isDismissal(entry, id)),
  };
}

/** Items on one line each. */
export function itemSummaries(
  known: KnownSession,
  findings: readonly Finding[],
): readonly ItemSummary[] {
  const once = new Map(findings.map((finding) => [finding.id, finding]));
  return [...once.values()].map(({ id, level, brief, file, line }) => {
    const state = stateOf(known, id);
    const closings = stepsWhere(known, (entry) => isDismissal(entry, id) || isClosing(entry, id));
    const closing = state === "open" ? undefined : closings.at(-1);
    return {
      id,
      level,
      brief,
      file: file ?? null,
      line: line ?? null,
      state,
      closing: closing ?? null,
    };
  });
}

function stateOf(known: KnownSession, id: string): ItemSummary["state"] {
  const judge = known[openerOf(id)];
  if (judge.dismissed.has(id)) return "dismissed";
  // What a person added is open before the reviewer has adopted it.
  return judge.open.has(id) || !judge.items.has(id) ? "open" : "closed";
}

/** The verdict on a fix, or a run of a bug's command for it. */
function isRecheck(record: LogRecord["record"], id: string): boolean {
  if (record.kind === "verify.end") return record.id === id;
  if (record.kind !== "command.result") return false;
  const unit = decodeUnit(record.unit);
  return unit?.kind === "verify" && unit.id === id;
}

function isDismissal({ record }: LogRecord, id: string): boolean {
  if (record.kind === "dismiss") return record.id === id;
  return record.kind === "adopt.end" && record.dismiss === id;
}

function isClosing({ record }: LogRecord, id: string): boolean {
  return record.kind === "verify.end" && record.id === id && record.verdict === "closed";
}
