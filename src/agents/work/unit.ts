import { UNIT_BACKOFF_MS_MAX, UNIT_BACKOFF_MS_MIN } from "../../base/limits.ts";
import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { Role } from "../../base/role.ts";
import type { TurnOutcome } from "../../engines/engine.ts";
import type { CommonRecord } from "../../fs-protocol/records/common-records.ts";
import type { OpenUnit, Question } from "../../session/state/open-unit.ts";
import { backoffMs } from "../../streams/retry.ts";
import { withRefusals } from "../turn/name-refusals.ts";
import { clip } from "./clip.ts";
import type { Journal } from "./journal.ts";
import type { RoleContext } from "./role-context.ts";

// The life of a unit, whichever role takes it: it is begun on record, attempted, and ended by one record of its role's.
// An attempt that fails is repeated; a question ends the unit until a person answers; attempts that are used up have it
// give up; and a unit that was begun and not ended is recovered by the next process before it is taken again.

/** What one attempt at a unit came to. */
export type Attempted<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly reason: string }
  | {
      readonly kind: "question";
      readonly outcome: "needs_input" | "blocked";
      readonly question: string;
    }
  | { readonly kind: "stopped" };

/** How the unit ended, for its `end` record. */
export type UnitEnd<T> =
  Exclude<Attempted<T>, { kind: "failed" }> | { readonly kind: "gaveup"; readonly reason: string };

/** An end of a unit that came to nothing, and that is on record all the same. */
export type Undone = Extract<UnitEnd<unknown>, { kind: "question" | "gaveup" }>;

interface UndoneFields {
  readonly outcome: "gaveup" | "needs_input" | "blocked";
  readonly reason?: string;
  readonly reopens?: number | undefined;
  readonly question?: string;
  readonly ask?: string;
}

interface Writes<K extends CommonRecord["kind"]> {
  readonly journal: Journal<Extract<CommonRecord, { readonly kind: K }>>;
}

/** Takes a unit, on record before anything is done for it. `base`: the commit that it is about or begins at. */
export function beginUnit(
  { journal }: Writes<"unit.begin">,
  unit: string,
  base: Oid | undefined,
): void {
  journal.append({ kind: "unit.begin", time: journal.time(), unit, base });
}

/**
 * Tries a unit of planner, reviewer or tester up to the policy's bound, with backoff; each failed
 * attempt is on record, so that a restart goes on counting. After the last one the unit gives up,
 * which answers what was owed (coordination, "Giving up").
 *
 * @param open the role's open unit, from the fold: attempts at this one that failed before count
 */
export async function attemptUnit<T>(
  context: Pick<RoleContext, "session" | "ports" | "signal" | "random" | "reader" | "role"> &
    Writes<"attempt.failed">,
  unit: string,
  open: Pick<OpenUnit<unknown>, "unit" | "failures" | "lastFailure"> | undefined,
  attempt: (number: number, lastFailure: string | undefined) => Promise<Attempted<T>>,
): Promise<UnitEnd<T>> {
  const { journal, session, ports, signal, random } = context;
  const backoff = { msMin: UNIT_BACKOFF_MS_MIN, msMax: UNIT_BACKOFF_MS_MAX };
  const before = open?.unit === unit ? open : undefined;
  const first = (before?.failures ?? 0) + 1;
  let reason = before?.lastFailure;
  for (let number = first; number <= session.policy.unitAttemptsMax; number++) {
    if (number > 1) await ports.clock.sleep(backoffMs(number - 1, backoff, random()), signal);
    if (signal.aborted) return { kind: "stopped" };
    const attempted = await attempt(number, reason);
    if (attempted.kind !== "failed") return attempted;
    reason = withRefusals(context, unit, attempted.reason);
    journal.append({ kind: "attempt.failed", time: journal.time(), unit, reason });
  }
  return { kind: "gaveup", reason: reason ?? "its attempts are used up" };
}

/** A turn that did not end by itself as the attempt that it was for. */
export function asAttempted(
  outcome: Exclude<TurnOutcome, { kind: "ended" }>,
): Exclude<Attempted<never>, { kind: "done" }> {
  switch (outcome.kind) {
    case "needs-input":
      return { kind: "question", outcome: "needs_input", question: outcome.question };
    case "blocked":
      return { kind: "question", outcome: "blocked", question: outcome.question };
    default:
      return outcome;
  }
}

/**
 * The fields by which an end record says that a unit came to nothing.
 *
 * @param asked how many questions the role has asked before
 * @param reopens that the role has seen, where a later one has the unit asked again
 */
export function undoneFields(
  end: Undone,
  role: Role,
  asked: number,
  reopens?: number,
): UndoneFields {
  return end.kind === "gaveup"
    ? { outcome: "gaveup", reason: end.reason, reopens }
    : { outcome: end.outcome, ...questionFields(role, asked, end.question) };
}

/** Fields of an `end` that asks a person; the id counts the role's questions from 1. */
export function questionFields(
  role: Role,
  asked: number,
  question: string,
): { readonly question: string; readonly ask: string } {
  return { question: `${role}-${String(asked + 1)}`, ask: clip(question) };
}

/** The answer to the question that stopped this unit last, for the prompt. */
export function answerTo(
  unit: string,
  questions: readonly Question[],
  answers: ReadonlyMap<string, string>,
): string {
  return questions
    .filter((question) => question.unit === unit && answers.has(question.id))
    .map((question) => `You asked: ${question.ask}\nThe answer: ${answers.get(question.id) ?? ""}`)
    .join("\n\n");
}

/** What is left of an interrupted unit: on the branch, in the clone, or nowhere. */
export type Found = "published" | "committed" | "nothing";

/**
 * After an interruption: the clone is mended, and it is put on record what was found of the unit. Where that is nothing,
 * what was in the clone is saved, and the unit may be taken again; ids are keyed by content, only the end counts.
 *
 * @param find looks for what the unit was about to publish; left out: it publishes nothing
 */
export async function recoverUnit(
  { clone: open, journal }: Pick<RoleContext, "clone"> & Writes<"unit.recover">,
  unit: string,
  find: (clone: Clone) => Found | Promise<Found> = () => "nothing",
): Promise<Found> {
  const clone = await open();
  const repaired = need(await clone.repair());
  const found = await find(clone);
  const rest = found === "nothing" ? need(await clone.rescueAndReset()) : repaired;
  const rescue = rest.rescue ?? repaired.rescue;
  journal.append({ kind: "unit.recover", time: journal.time(), unit, found, rescue });
  return found;
}
