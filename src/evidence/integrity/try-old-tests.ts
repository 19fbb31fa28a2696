import type { Oid } from "../../base/oid.ts";
import type { RanCommand } from "../../fs-protocol/records/command-result.ts";
import { couldNotLoad, notLoaded } from "../harness/could-not-load.ts";
import {
  harnessFiles,
  isPartial,
  oldTestsOf,
  partialWays,
  type RunBy,
} from "../harness/old-tests.ts";
import {
  failureCounts,
  failuresBeyond,
  mostFailures,
  type FailureCounts,
} from "../verify/failure-counts.ts";
import type { ComparedVerify } from "../verify/no-worse.ts";
import { Repeats } from "../look/repeats.ts";
import { isAskedFor } from "./asked-for.ts";
import type { ChangedTests } from "./changed-tests.ts";
import { confirmFailures, NO_NEW_FAILURES, type NewFailures } from "./confirm-failures.ts";
import { runOldTests, type OldTestsEnd, type RecordingContext } from "./run-old-tests.ts";

/** The result of a run of old tests. */
export type OldRan = Extract<OldTestsEnd, { kind: "ran" }>;

/** What is red without overlaying old tests: the range is not to blame for it. */
export interface RedBefore {
  /** How often each test failed at the session's base or at either end of the range, at most. */
  readonly counts: FailureCounts;
  /** Verify was red somewhere without naming a test, so any failure may be an old one. */
  readonly isBlind: boolean;
  /** Verify was green, or named what fails, at both ends of the range. */
  readonly isNamed: boolean;
}

/** One way of running old tests, and its result. */
export interface OldTestsTry {
  readonly by: RunBy;
  readonly ran: OldRan;
  readonly newFailures: NewFailures;
  /** Files besides the tests that were restored for the run. */
  readonly files: readonly string[];
  /** The tests, or their harness, could not be loaded, which proves nothing about the code. */
  readonly isInconclusive: boolean;
  /** What failed in a way to be blamed passed when it was run again. */
  readonly isUnsteady?: boolean | undefined;
}

export type TriedOldTests =
  | { readonly kind: "tried"; readonly tries: readonly OldTestsTry[] }
  | Exclude<OldTestsEnd, { readonly kind: "ran" }>;

export interface OldTestsOptions {
  readonly unit: string;
  readonly start: Oid;
  readonly end: Oid;
  readonly changed: ChangedTests;
  readonly ways: readonly RunBy[];
  /** Called only if something failed. */
  readonly before: () => Promise<RedBefore | "stopped">;
  /**
   * Whether wisp decides alone, without a reviewer's judgement. Then anything that could not be loaded is
   * ignored.
   */
  readonly isSoleJudge: boolean;
}

/**
 * The ways in which to run old tests, in order: first with their old harness, if it changed and nobody asked
 * for that, and without those of its files that may be the product, where there are any; then with the new one, if
 * these runs are inconclusive.
 */
export function waysToRun(changed: ChangedTests, asked: readonly string[]): readonly RunBy[] {
  const isOld = changed.old.length + changed.commands.size > 0;
  const isHarness = harnessFiles(changed).some((file) => !isAskedFor(asked, { file, titles: [] }));
  return [
    ...(isHarness ? (["old-harness"] as const) : []),
    ...(isHarness ? partialWays(changed) : []),
    ...(isOld ? (["new-harness"] as const) : []),
  ];
}

/**
 * Runs old tests on a newer tree in the given ways, until one is conclusive. If the old harness may contain the product,
 * its success says nothing by itself: the worst of its runs counts.
 */
export async function tryOldTests(
  context: RecordingContext,
  remembered: ReadonlyMap<string, RanCommand>,
  wanted: OldTestsOptions,
): Promise<TriedOldTests> {
  const tries: OldTestsTry[] = [];
  for (const by of wanted.ways) {
    const sofar = decisiveTry(tries);
    const isSettled = sofar?.isInconclusive === false;
    if (isSettled && (sofar.newFailures.isBlamed || !isPartial(by))) break;
    const tried = await tryOne(context, remembered, wanted, by);
    if (tried.kind !== "try") return tried;
    tries.push(tried);
  }
  return { kind: "tried", tries };
}

/** The try that counts: a conclusive one, the worst of them; else the last. */
export function decisiveTry(tries: readonly OldTestsTry[]): OldTestsTry | undefined {
  const conclusive = tries.filter(({ isInconclusive }) => !isInconclusive);
  return (
    conclusive.find(({ newFailures }) => newFailures.isBlamed) ??
    conclusive.find(({ ran }) => ran.outcome !== "passed") ??
    conclusive.at(-1) ??
    tries.at(-1)
  );
}

async function tryOne(
  context: RecordingContext,
  remembered: ReadonlyMap<string, RanCommand>,
  { unit, start, end, changed, before, isSoleJudge }: OldTestsOptions,
  by: RunBy,
): Promise<(OldTestsTry & { readonly kind: "try" }) | Exclude<OldTestsEnd, { kind: "ran" }>> {
  const repeats = new Repeats(context);
  const run = { unit, end, tests: oldTestsOf(changed, start, by), by, repeats };
  const ran = await runOldTests(context, remembered, run);
  if (ran.kind !== "ran") return ran;
  const files = [...new Set([...changed.commands.keys(), ...harnessFiles(changed, by)])];
  const red = ran.outcome === "failed" ? await before() : NOTHING_RED;
  if (red === "stopped") return { kind: "stopped" };
  const all = newFailuresIn(ran, red);
  const isInconclusive = (isSoleJudge || files.length > 0) && failedToRun(ran, all);
  const tried = { kind: "try", by, ran, files, isInconclusive } as const;
  if (isInconclusive || !all.isBlamed) {
    return { ...tried, newFailures: isSoleJudge ? NO_NEW_FAILURES : all };
  }
  const loaded = isSoleJudge ? withoutUnloaded(ran, all) : all;
  if (!loaded.isBlamed) return { ...tried, newFailures: loaded };
  const confirmed = await confirmFailures(context, remembered, run, loaded);
  if (confirmed.kind !== "confirmed") return confirmed;
  const { newFailures } = confirmed;
  return { ...tried, newFailures, isUnsteady: !newFailures.isBlamed };
}

const NOTHING_RED: RedBefore = { counts: new Map(), isBlind: false, isNamed: true };

/** The failing names that belong to something that could not be loaded. */
export function unloadedIn({ failing = [], reason, printed }: OldRan): readonly string[] {
  return notLoaded(failing, `${reason}\n${printed}`);
}

function withoutUnloaded(ran: OldRan, { failing }: NewFailures): NewFailures {
  const unloaded = new Set(unloadedIn(ran));
  const loaded = failing.filter((name) => !unloaded.has(name));
  // A failure that names no test still counts as one.
  return { failing: loaded, isBlamed: failing.length === 0 || loaded.length > 0 };
}

/** Old settings may not fit the new code, which is nobody's fault. */
function failedToRun(ran: OldRan, { failing }: NewFailures): boolean {
  if (ran.outcome === "unstarted") return true;
  return ran.outcome === "failed" && couldNotLoad(failing, `${ran.reason}\n${ran.printed}`);
}

function newFailuresIn(ran: OldRan, { counts, isBlind, isNamed }: RedBefore): NewFailures {
  if (ran.outcome !== "failed") return NO_NEW_FAILURES;
  // What names no test is worse than all that was named: that it may be the same as before excuses nothing.
  if (ran.failing === undefined) return { failing: [], isBlamed: isNamed && !isBlind };
  if (isBlind) return NO_NEW_FAILURES;
  const failing = failuresBeyond(failureCounts(ran), counts);
  return { failing, isBlamed: failing.length > 0 };
}

/**
 * Combines the results of verify at the session's base, as far as it named tests, and at both ends of a range.
 */
export function redBefore(
  base: FailureCounts,
  ends: readonly (ComparedVerify | undefined)[],
): RedBefore {
  const counts = ends.flatMap((end) => (end === undefined ? [] : [failureCounts(end)]));
  return {
    counts: mostFailures([base, ...counts]),
    isBlind: ends.some((end) => end?.outcome === "failed" && end.failing === undefined),
    isNamed: ends.every((end) => end?.outcome === "passed" || end?.failing !== undefined),
  };
}
