import type { Oid } from "../../base/oid.ts";

/** A unit that has begun and not ended, with the data that its role needs to recover it. */
export interface OpenUnit<Intent> {
  readonly unit: string;
  readonly base: Oid | undefined;
  /** Number of failed turns of this unit so far; interrupted turns do not count. */
  readonly failures: number;
  /** Why the last of these turns failed. */
  readonly lastFailure: string | undefined;
  /** The newest `push.intent` of this unit. */
  readonly intent: Intent | undefined;
  /**
   * The unit was inspected after a restart and nothing of it was found, so it may start again. If
   * something is found, the recovery itself ends the unit; a recovery that was interrupted
   * therefore runs again.
   */
  readonly isRecovered: boolean;
  /** Raw output of its newest turn, below `logs/`. */
  readonly turn: string | undefined;
  /** Why it cannot continue for now. */
  readonly waiting: string | undefined;
  /** The work tree that has the session branch checked out, so that it waits. */
  readonly heldAt?: string | undefined;
}

/** A question of a role, which waits until a person answers. */
export interface Question {
  readonly id: string;
  readonly unit: string;
  readonly ask: string;
  /** The engine did not ask a question but reported what blocks it. */
  readonly isBlocked?: true | undefined;
  /** Its role records that it is decided: the settings had the answer. */
  readonly isSettled?: true | undefined;
}

/** Whether a question waits for a person. */
export function isUnanswered(
  { id, isSettled }: Pick<Question, "id" | "isSettled">,
  { answers }: { readonly answers: ReadonlyMap<string, unknown> },
): boolean {
  return isSettled !== true && !answers.has(id);
}

/** Creates the question with which a unit ends. */
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
  readonly held?: string | undefined;
  readonly over?: "yes" | undefined;
}

const NO_WAIT = { waiting: undefined, heldAt: undefined } as const;

/**
 * Folds the records that every role writes about its own open unit; other records leave it
 * unchanged.
 */
export function foldOpenUnit<Intent>(
  open: OpenUnit<Intent> | undefined,
  record: CommonRecord,
): OpenUnit<Intent> | undefined {
  if (record.kind === "unit.begin") return begin(open, record);
  if (open === undefined || record.unit !== open.unit) return open;
  switch (record.kind) {
    case "unit.recover":
      // The commits of the intent are published or lost, so they do not concern the next attempt.
      return record.found === "nothing"
        ? { ...open, isRecovered: true, intent: undefined, ...NO_WAIT }
        : { ...open, ...NO_WAIT };
    case "attempt.failed":
      return { ...open, failures: open.failures + 1, lastFailure: record.reason };
    case "unit.wait":
      return record.over === "yes"
        ? { ...open, ...NO_WAIT }
        : { ...open, waiting: record.reason, heldAt: record.held };
    // It was published: whatever it waited for is over.
    case "push.done":
      return { ...open, ...NO_WAIT };
    case "turn.begin":
      return { ...open, turn: record.output, ...NO_WAIT };
    default:
      return open;
  }
}

/**
 * Starts a unit. Starting the same unit again after an interruption keeps what is known about it.
 */
function begin<Intent>(
  open: OpenUnit<Intent> | undefined,
  record: CommonRecord,
): OpenUnit<Intent> | undefined {
  if (record.unit === undefined) return open;
  if (open?.unit === record.unit)
    return {
      ...open,
      base: record.base,
      isRecovered: false,
      waiting: undefined,
      heldAt: undefined,
    };
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
