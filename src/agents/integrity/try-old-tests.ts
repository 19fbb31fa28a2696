import type { Oid } from "../../base/oid.ts";
import type { VerifyResult } from "../../session/state/builder-state.ts";
import type { RanCommand } from "../../fs-protocol/records/command-result.ts";
import { couldNotLoad, notLoaded } from "../harness/could-not-load.ts";
import { harnessFiles, oldTestsOf } from "../harness/old-tests.ts";
import { isAskedFor } from "./asked-for.ts";
import type { ChangedTests } from "./changed-tests.ts";
import { runOldTests, type OldTestsEnd, type Remembering } from "./run-old-tests.ts";

/** By what old tests are run: what ran them then, or what runs them now. */
export type RunBy = "old-harness" | "new-harness";

/** How old tests ended. */
export type OldRan = Extract<OldTestsEnd, { kind: "ran" }>;

/** What was red without old tests on new code: that blames nobody. */
export interface RedBefore {
  /** Names that failed at the session's base or at an end of the range. */
  readonly names: ReadonlySet<string>;
  /** It was red somewhere and named nothing, and may have failed for anything. */
  readonly isBlind: boolean;
  /** Both ends of the range were green. */
  readonly isGreen: boolean;
}

/** Of a run of old tests what failed for the first time. */
export interface Fresh {
  readonly failing: readonly string[];
  /** Whether the failure is the doing of the range. */
  readonly isBlamed: boolean;
}

/** One way of running old tests, and what came of it. */
export interface OldTestsTry {
  readonly by: RunBy;
  readonly ran: OldRan;
  readonly fresh: Fresh;
  /** Files that stood as they did then, beside the tests. */
  readonly files: readonly string[];
  /** They, or what runs them, could not be loaded: that says nothing of the code. */
  readonly isVain: boolean;
}

export type TriedOldTests =
  { readonly kind: "tried"; readonly tries: readonly OldTestsTry[] } | { readonly kind: "stopped" };

export interface TryOldTests {
  readonly unit: string;
  readonly start: Oid;
  readonly end: Oid;
  readonly changed: ChangedTests;
  readonly ways: readonly RunBy[];
  /** Asked for only where something failed. */
  readonly before: () => Promise<RedBefore | "stopped">;
  /**
   * Whether nobody but wisp will look: then what could not be loaded counts for nothing, whatever it is, and what
   * failed has to fail twice.
   */
  readonly isDecided: boolean;
}

/**
 * Old tests are first run by what ran them then, where that changed and nobody asked for it; what that cannot say,
 * the other says.
 */
export function waysToRun(changed: ChangedTests, asked: readonly string[]): readonly RunBy[] {
  const isOld = changed.old.length + changed.commands.size > 0;
  const isHarness = harnessFiles(changed).some((file) => !isAskedFor(asked, { file, titles: [] }));
  return [
    ...(isHarness ? (["old-harness"] as const) : []),
    ...(isOld ? (["new-harness"] as const) : []),
  ];
}

/** Runs old tests on a newer tree, in one way after the other, until one says something. */
export async function tryOldTests(
  context: Remembering,
  remembered: ReadonlyMap<string, RanCommand>,
  wanted: TryOldTests,
): Promise<TriedOldTests> {
  const tries: OldTestsTry[] = [];
  for (const by of wanted.ways) {
    const tried = await tryOne(context, remembered, wanted, by);
    if (tried.kind === "stopped") return tried;
    tries.push(tried);
    if (!tried.isVain) break;
  }
  return { kind: "tried", tries };
}

async function tryOne(
  context: Remembering,
  remembered: ReadonlyMap<string, RanCommand>,
  { unit, start, end, changed, before, isDecided }: TryOldTests,
  by: RunBy,
): Promise<(OldTestsTry & { readonly kind: "try" }) | { readonly kind: "stopped" }> {
  const isWithHarness = by === "old-harness";
  const run = { unit, end, tests: oldTestsOf(changed, start, by), isWithHarness };
  const ran = await runOldTests(context, remembered, run);
  if (ran.kind === "stopped") return ran;
  const harness = isWithHarness ? harnessFiles(changed) : [];
  const files = [...new Set([...changed.commands.keys(), ...harness])];
  const red = ran.outcome === "failed" ? await before() : NOTHING_RED;
  if (red === "stopped") return { kind: "stopped" };
  const all = freshIn(ran, red);
  const isVain = (isDecided || files.length > 0) && saysNothing(ran, all);
  const tried = { kind: "try", by, ran, files, isVain } as const;
  if (!isDecided) return { ...tried, fresh: all };
  if (isVain || !all.isBlamed) return { ...tried, fresh: NOTHING_FRESH };
  const loaded = withoutUnloaded(ran, all);
  if (!loaded.isBlamed) return { ...tried, fresh: loaded };
  const again = await runOldTests(context, remembered, { ...run, isAgain: true });
  return again.kind === "stopped" ? again : { ...tried, fresh: confirmed(loaded, again) };
}

const NOTHING_FRESH: Fresh = { failing: [], isBlamed: false };
const NOTHING_RED: RedBefore = { names: new Set(), isBlind: false, isGreen: true };

/** Names of a run that are of what could not be loaded. */
export function unloadedIn({ failing = [], reason, printed }: OldRan): readonly string[] {
  return notLoaded(failing, `${reason}\n${printed}`);
}

function withoutUnloaded(ran: OldRan, { failing }: Fresh): Fresh {
  const unloaded = new Set(unloadedIn(ran));
  const left = failing.filter((name) => !unloaded.has(name));
  // A failure that names nothing is one all the same.
  return { failing: left, isBlamed: failing.length === 0 || left.length > 0 };
}

/** What failed twice; a run that names nothing did not get as far, and failed. */
function confirmed({ failing }: Fresh, again: OldRan): Fresh {
  if (again.outcome !== "failed") return NOTHING_FRESH;
  const { failing: second } = again;
  if (second === undefined || failing.length === 0) return { failing, isBlamed: true };
  const both = failing.filter((name) => second.includes(name));
  return { failing: both, isBlamed: both.length > 0 };
}

/** Old settings may not fit the new code, by no fault of anybody's. */
function saysNothing(ran: OldRan, { failing }: Fresh): boolean {
  if (ran.outcome === "unstarted") return true;
  return ran.outcome === "failed" && couldNotLoad(failing, `${ran.reason}\n${ran.printed}`);
}

function freshIn(ran: OldRan, { names, isBlind, isGreen }: RedBefore): Fresh {
  if (ran.outcome !== "failed") return NOTHING_FRESH;
  if (ran.failing === undefined) return { failing: [], isBlamed: isGreen };
  if (isBlind) return NOTHING_FRESH;
  const failing = ran.failing.filter((name) => !names.has(name));
  return { failing, isBlamed: failing.length > 0 };
}

/** What verify said at the session's base, as far as it named anything, and at both ends of a range. */
export function redBefore(
  base: readonly string[],
  ends: readonly (Pick<VerifyResult, "outcome" | "failing"> | undefined)[],
): RedBefore {
  return {
    names: new Set([...base, ...ends.flatMap((end) => end?.failing ?? [])]),
    isBlind: ends.some((end) => end?.outcome === "failed" && end.failing === undefined),
    isGreen: ends.every((end) => end?.outcome === "passed"),
  };
}
