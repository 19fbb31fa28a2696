import type { Oid } from "../../base/oid.ts";

/** A unit that was begun and has no end yet: what its own role needs to recover it. */
export interface OpenUnit<Intent> {
  readonly unit: string;
  readonly base: Oid | undefined;
  /** Failed turns of this unit so far; interruptions do not count. */
  readonly failures: number;
  /** Why the last of them failed. */
  readonly lastFailure: string | undefined;
  /** The newest `push.intent` of this unit. */
  readonly intent: Intent | undefined;
  /**
   * It was looked at after a restart and nothing of it was found: it may be taken again. What was found
   * is ended by the recovery itself, which is therefore taken again when it was interrupted, too.
   */
  readonly isRecovered: boolean;
  /** Raw output of its newest turn, below `logs/`. */
  readonly turn: string | undefined;
  /** Why it cannot go on for now. */
  readonly waiting: string | undefined;
}

/** A question of a role that stops its slot until a person answers. */
export interface Question {
  readonly id: string;
  readonly unit: string;
  readonly ask: string;
  /** The engine asked nothing: it said what it cannot get past. */
  readonly isBlocked?: true | undefined;
}

/** The question that the end of a unit asks, by its outcome. */
export function questionOf(
  { unit, ask }: Pick<CommonRecord, "unit"> & { readonly ask?: string | undefined },
  { id, outcome }: { readonly id: string; readonly outcome: string },
): Question {
  const question = { id, unit: unit ?? "", ask: ask ?? "" };
  return outcome === "blocked" ? { ...question, isBlocked: true } : question;
}

interface CommonRecord {
  readonly kind: string;
  readonly unit?: string | undefined;
  readonly base?: Oid | undefined;
  readonly output?: string | undefined;
  readonly reason?: string | undefined;
  readonly found?: string | undefined;
}

/** Folds the records that every role writes about its own open unit; others leave it as it is. */
export function foldOpenUnit<Intent>(
  open: OpenUnit<Intent> | undefined,
  record: CommonRecord,
): OpenUnit<Intent> | undefined {
  if (record.kind === "unit.begin") return begin(open, record);
  if (open === undefined || record.unit !== open.unit) return open;
  switch (record.kind) {
    case "unit.recover":
      // What the intent names is saved or gone: it says nothing about the work of the next try.
      return record.found === "nothing" ? { ...open, isRecovered: true, intent: undefined } : open;
    case "attempt.failed":
      return { ...open, failures: open.failures + 1, lastFailure: record.reason };
    case "unit.wait":
      return { ...open, waiting: record.reason };
    case "turn.begin":
      return { ...open, turn: record.output, waiting: undefined };
    default:
      return open;
  }
}

/** Taking the same unit again after an interruption keeps what is known of it. */
function begin<Intent>(
  open: OpenUnit<Intent> | undefined,
  record: CommonRecord,
): OpenUnit<Intent> | undefined {
  if (record.unit === undefined) return open;
  if (open?.unit === record.unit)
    return { ...open, base: record.base, isRecovered: false, waiting: undefined };
  return {
    unit: record.unit,
    base: record.base,
    failures: 0,
    lastFailure: undefined,
    intent: undefined,
    isRecovered: false,
    turn: undefined,
    waiting: undefined,
  };
}
