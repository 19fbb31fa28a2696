import { UNIT_BACKOFF_MS_MAX, UNIT_BACKOFF_MS_MIN } from "../base/limits.ts";
import { need } from "../base/fatal.ts";
import type { Oid } from "../base/oid.ts";
import type { Clone } from "../base/ports/repo.ts";
import type { Role } from "../base/role.ts";
import type { TurnOutcome } from "../engines/engine.ts";
import type { CommonRecord } from "../fs-protocol/records/common-records.ts";
import type { OpenUnit, Question } from "../session/state/open-unit.ts";
import { backoffMs } from "../streams/retry.ts";
import { withRefusals } from "./turn/name-refusals.ts";
import { clip } from "./clip.ts";
import type { Journal } from "./journal.ts";
import type { RoleContext } from "./role-context.ts";

// The life of a unit, which is the same for every role: a record begins it, it is attempted, and one record of its role
// ends it. A failed attempt is repeated. A question ends the unit until a person answers. After its last attempt a unit
// gives up. The next process recovers a unit that was begun and not ended before it starts the unit again.

/** The result of one attempt at a unit. */
export type Attempted<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly reason: string }
  | {
      readonly kind: "question";
      readonly outcome: "needs_input" | "blocked";
      readonly question: string;
    }
  | { readonly kind: "stopped" };

/** How a unit ended, for its `end` record. */
export type UnitEnd<T> =
  Exclude<Attempted<T>, { kind: "failed" }> | { readonly kind: "gaveup"; readonly reason: string };

/** An end without a result, which is recorded too. */
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

/** Records that a unit begins, before any work on it. `base`: the commit that the unit is about or starts from. */
export function beginUnit(
  { journal }: Writes<"unit.begin">,
  unit: string,
  base: Oid | undefined,
): void {
  journal.append({ kind: "unit.begin", time: journal.time(), unit, base });
}

/**
 * Attempts a unit of planner, reviewer or tester as often as the policy allows, with backoff. Records each failed
 * attempt, so that a restarted process goes on counting. After the last attempt the unit gives up, and nobody waits
 * for its result any more (docs/PROTOCOL.md, "What is owed").
 *
 * @param open the role's open unit, from the fold; if it is this unit, its failed attempts count
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
  const earlier = open?.unit === unit ? open : undefined;
  const first = (earlier?.failures ?? 0) + 1;
  let reason = earlier?.lastFailure;
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

/** The result of an attempt whose turn did not end normally. */
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
 * The fields of the `end` record of a unit that ended without a result.
 *
 * @param asked number of questions that the role asked before
 * @param reopens number of reopens that the role has seen, if a later reopen starts the unit again
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

/** The fields of an `end` record that asks a person; the question's id counts the role's questions from 1. */
export function questionFields(
  role: Role,
  asked: number,
  question: string,
): { readonly question: string; readonly ask: string } {
  return { question: `${role}-${String(asked + 1)}`, ask: clip(question) };
}

/** The unit's questions that were answered, with their answers, for the prompt; "" if there are none. */
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

/** Where the commits of an interrupted unit were found: on the branch, in the clone, or nowhere. */
export type Found = "published" | "committed" | "nothing";

/**
 * Recovers a unit after an interruption: repairs the clone and records what was found of the unit's work. If nothing
 * was found, saves what is in the clone and resets it, and the unit may start again. Starting again is safe, because
 * ids depend on content only and only the `end` record counts.
 *
 * @param find searches for the commits that the unit was about to publish; omitted if the unit publishes nothing
 */
export async function recoverUnit(
  { clone: open, journal }: Pick<RoleContext, "clone"> & Writes<"unit.recover">,
  unit: string,
  find: (clone: Clone) => Found | Promise<Found> = () => "nothing",
): Promise<Found> {
  const clone = await open();
  const repaired = need(await clone.repair());
  const found = await find(clone);
  const recovered = found === "nothing" ? need(await clone.rescueAndReset()) : repaired;
  const rescue = recovered.rescue ?? repaired.rescue;
  journal.append({ kind: "unit.recover", time: journal.time(), unit, found, rescue });
  return found;
}
