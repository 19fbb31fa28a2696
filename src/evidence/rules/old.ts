import { present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import { abbreviate } from "../../base/oid.ts";
import { ranKey, type RanCommand } from "../../fs-protocol/records/command-result.ts";
import type { FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { verifyKey } from "../../session/state/builder-state.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { Attempted } from "../../work/unit.ts";
import type { OldTests } from "../../work/verify-trees.ts";
import { couldNotLoad } from "../harness/could-not-load.ts";
import {
  OLD_HARNESS_WAYS,
  oldTestsOf,
  restoredFiles,
  withheldIn,
  type RunBy,
} from "../harness/old-tests.ts";
import type { ChangedTests } from "../integrity/changed-tests.ts";
import { unaskedFailures, type OldFailures } from "../integrity/failed-tests.ts";
import { confirmFailures, type ConfirmedFailures } from "../integrity/confirm-failures.ts";
import {
  oldTestsKey,
  runOldTests,
  runsOfJudges,
  type OldTestsRun,
} from "../integrity/run-old-tests.ts";
import { asksAt } from "../look/unknown-question.ts";
import { verifiedEnds } from "../harness/test-counts.ts";
import { failureCounts, failuresBeyond } from "../verify/failure-counts.ts";
import { redAtBase } from "../verify/red-at-base.ts";
import { redBefore, type OldRan, type OldTestsTry } from "../integrity/try-old-tests.ts";
import { commandKey } from "../verify/command-key.ts";
import { failureExcerpt, failureLine } from "../verify/failure-report.ts";
import type { FindAgain, FoundIn, RangeRule } from "./evidence-rule.ts";
import {
  BY_COMPUTING,
  changedSince,
  closedAt,
  computedOf,
  counted,
  rangeFinding,
  reopenedAt,
  tasksSince,
} from "./range-finding.ts";

/** Tests from the start of a range that fail on its end, although the plan does not ask for it; one finding per file. */
export const old = oldTestsRule("old", ["new-harness"]);

/** The same with what ran them before the range. */
export const harness = oldTestsRule("harness", OLD_HARNESS_WAYS);

function oldTestsRule(kind: "old" | "harness", ways: readonly RunBy[]): RangeRule {
  return {
    kind,
    role: "reviewer",
    mayChangeTests: false,
    restoresTests: true,
    describe({ tries, range }) {
      const seen = tries.filter(({ by }) => ways.includes(by));
      const words = seen.map((tried) => [
        ranWords(tried, range),
        tried.isInconclusive ? INCONCLUSIVE : "",
      ]);
      return words
        .flat()
        .filter((each) => each !== "")
        .join("\n\n");
    },
    find: ({ tries, changed, tasks, range }) =>
      tries.flatMap(({ by, ran, newFailures, isInconclusive }) => {
        if (!ways.includes(by) || isInconclusive || !newFailures.isBlamed) return [];
        const { failing } = newFailures;
        const failures = { ...changed, ...restoredFiles(changed, by), failing, red: ran.red };
        return findingsOf(kind, failures, tasks, range);
      }),
    findAgain: (context, state, again) => runAllAgain(context, state, again, ways),
  };
}

const INCONCLUSIVE = "They could not be loaded or run like that, which says nothing of the code.";

function ranWords(
  { ran, newFailures: { failing }, files, isUnsteady }: OldTestsTry,
  { start, end }: FoundIn,
): string {
  const named = files.slice(0, FILES_NAMED_MAX).join(", ");
  const more =
    files.length > FILES_NAMED_MAX ? ` and ${String(files.length - FILES_NAMED_MAX)} more` : "";
  const were = files.length === 1 ? "it was" : "they were";
  const by = named === "" ? "" : `, with ${named}${more} as ${were} then`;
  const what = `wisp ran the tests as they stood at ${abbreviate(start)} on the tree of ${abbreviate(end)}${by}`;
  if (isUnsteady === true)
    return `${what}: they failed once, and what failed passed when they were run again.`;
  switch (ran.outcome) {
    case "passed":
      return `${what}: they pass.`;
    case "unstarted":
      return `${what}: they could not be run (${ran.reason}).`;
    case "failed": {
      const names = failing.map((name) => `- ${name}`).join("\n");
      return `${what}: they fail (${ran.reason}).\n${names === "" ? failureExcerpt(ran.red) : names}`;
    }
  }
}

const FILES_NAMED_MAX = 20;

function findingsOf(
  kind: "old" | "harness",
  failures: OldFailures & Pick<OldRan, "red">,
  tasks: readonly string[],
  range: FoundIn,
): readonly Finding[] {
  const { red } = failures;
  return unaskedFailures(failures, tasks).map(({ file, names }) =>
    rangeFinding({
      of: kind,
      range,
      file,
      line: undefined,
      anchor: `old tests fail ${names.join(", ")}`,
      brief:
        file !== undefined && !failures.old.includes(file)
          ? briefBy(file, failures)
          : briefOf(file, names.length),
      issue: [
        `The tests, and what runs them, as they stood at ${abbreviate(range.start)} were run on the tree of ${abbreviate(range.end)}. The range changed them, and the plan does not ask for that.`,
        ...names.slice(0, NAMES_MAX).map((name) => `- ${name}`),
        failureExcerpt({ ...red, names }),
      ].join("\n"),
      suggestion: `Keep the behaviour that the tests held, and put them back. ${BY_COMPUTING}`,
    }),
  );
}

const NAMES_MAX = 20;

function briefBy(file: string, { commands, data = [] }: OldFailures): string {
  if (data.includes(file)) return `The tests, with ${file} as before this range, fail on its code`;
  return commands.has(file)
    ? `The test command of ${file} as before this range fails on its code`
    : `The tests, run by ${file} as before this range, fail on its code`;
}

function briefOf(file: string | undefined, count: number): string {
  const what = count === 0 ? "Tests" : counted(count, "test");
  const of = file === undefined ? "" : ` of ${file}`;
  return `${what}${of} as before this range ${count === 1 ? "fails" : "fail"} on its code`;
}

/** Runs the tests from the start of the range again, in each of the ways; the worst result counts. */
async function runAllAgain(
  context: RoleContext<"reviewer">,
  state: SessionState,
  again: FindAgain,
  ways: readonly RunBy[],
): Promise<Attempted<FixVerdict>> {
  const then = await changedSince(context, again, computedOf(again).end);
  let seen: Attempted<FixVerdict> | undefined;
  for (const by of ways) {
    if (seen !== undefined && withheldIn(then, by).length === 0) continue;
    // Its result is on record only if it was run when the finding was computed.
    if (seen !== undefined && (await ranThen(context, state, again, by)) === undefined) continue;
    seen = await runAgain(context, state, again, { then, by });
    if (seen.kind !== "done" || seen.value.kind !== "closed") return seen;
  }
  return present(seen, "there is a way to run old tests");
}

async function runAgain(
  context: RoleContext<"reviewer">,
  state: SessionState,
  again: FindAgain,
  { then, by }: { readonly then: ChangedTests; readonly by: RunBy },
): Promise<Attempted<FixVerdict>> {
  const { item, unit, at } = again;
  const { start } = computedOf(again);
  const now = await changedSince(context, again, at);
  const tests = oldTestsOf(stillChanged(then, now), start, by);
  if (isAsBefore(tests, now) && (await isGreen(context, state, again))) {
    return closedAt(at, "the tests are as they were, and verify passes");
  }
  const run = { unit, end: at, tests, by };
  const ran = await runOldTests(context, runsOfJudges(state), run);
  if (ran.kind === "stopped") return ran;
  if (ran.kind === "unknown") return asksAt(at, ran.reason);
  if (ran.outcome === "unstarted") {
    const reason = `the old tests could not be run: ${ran.reason}`;
    return { kind: "failed", reason } as const;
  }
  if (ran.outcome === "passed") return closedAt(at, "the tests as they were pass");
  const before = (await ranThen(context, state, again, by))?.failing;
  const what = failureLine(ran.red);
  if (by !== "new-harness" && couldNotLoad(ran.failing ?? [], `${ran.reason}\n${ran.printed}`)) {
    return reopenedAt(at, `what ran the tests before cannot be loaded any more:\n${what}`);
  }
  const confirmed = await stillFailing(context, state, again, { run, ran, before });
  if (confirmed.kind === "stopped") return confirmed;
  if (confirmed.kind === "unknown") return asksAt(at, confirmed.reason);
  const { newFailures } = confirmed;
  if (!newFailures.isBlamed) return closedAt(at, "of the tests as they were none fails any more");
  // Without names, any failure counts as the same failure.
  const failing = ran.failing && newFailures.failing;
  const failures = { ...then, ...restoredFiles(then, by), failing: failing ?? [], red: ran.red };
  const isNamed = failing !== undefined && before !== undefined;
  const kind = by === "new-harness" ? "old" : "harness";
  const remaining = findingsOf(kind, failures, tasksSince(state, again), computedOf(again));
  if (isNamed && !remaining.some(({ file }) => file === item.file)) {
    return closedAt(at, "its tests as they were pass, or the plan asks for what they fail at");
  }
  return reopenedAt(at, (failing ?? []).map((name) => `- ${name}`).join("\n") || what);
}

interface RanAgain {
  readonly run: OldTestsRun;
  readonly ran: OldRan;
  /** What failed when the finding was computed, if that is known. */
  readonly before: readonly string[] | undefined;
}

/**
 * What fails in every run as it did when the finding was computed. What was red around the range at that time was no part of
 * the finding.
 */
async function stillFailing(
  context: RoleContext<"reviewer">,
  state: SessionState,
  again: FindAgain,
  { run, ran, before }: RanAgain,
): Promise<ConfirmedFailures> {
  const range = computedOf(again);
  const ends = await verifiedEnds(context.session, state, await context.clone(), range);
  const { counts } = redBefore(await redAtBase(context, state), [ends.start, ends.end]);
  const failing = failuresBeyond(failureCounts(ran), counts).filter(
    (name) => before?.includes(name) !== false,
  );
  const isBlamed = ran.failing === undefined || failing.length > 0;
  return confirmFailures(context, runsOfJudges(state), run, { failing, isBlamed });
}

/**
 * The part of a range's changes that still differs from before; changes by later ranges are not its concern.
 */
function stillChanged(then: ChangedTests, now: ChangedTests): ChangedTests {
  const among = (paths: readonly string[], others: readonly string[]) =>
    paths.filter((path) => others.includes(path));
  const textsOf = <T>(texts: ReadonlyMap<string, T>, others: ReadonlyMap<string, unknown>) =>
    new Map([...texts].filter(([path]) => others.has(path)));
  return {
    ...now,
    old: among(then.old, now.old),
    commands: textsOf(now.commands, then.commands),
    harness: {
      ...now.harness,
      overlaid: among(then.harness.overlaid, now.harness.overlaid),
      doubtful: among(then.harness.doubtful, now.harness.overlaid),
      data: among(then.harness.data, now.harness.overlaid),
      removed: among(then.harness.removed, now.harness.removed),
      restored: textsOf(now.harness.restored, then.harness.restored),
      mapped: textsOf(now.harness.mapped, then.harness.mapped),
    },
  };
}

/** Whether overlaying the old tests would at most remove new test files. */
function isAsBefore(
  { paths, commands, removed = [] }: OldTests,
  { newTestFiles }: ChangedTests,
): boolean {
  return paths.length + commands.size === 0 && removed.every((path) => newTestFiles.includes(path));
}

/** Whether verify passed at the fix; it ran before the fix was published. */
async function isGreen(
  { session, clone: open }: RoleContext<"reviewer">,
  { builder }: SessionState,
  { at }: FindAgain,
): Promise<boolean> {
  const tree = need(await (await open()).treeOf(at));
  return builder.verified.get(verifyKey(commandKey(session.verify), tree))?.outcome === "passed";
}

/** How that run ended when the finding was computed; undefined if there was none. */
async function ranThen(
  context: RoleContext<"reviewer">,
  state: SessionState,
  again: FindAgain,
  by: RunBy,
): Promise<RanCommand | undefined> {
  const { start, end } = computedOf(again);
  const tree = need(await (await context.clone()).treeOf(end));
  const tests = { from: start, paths: [], commands: new Map<string, string>() };
  return runsOfJudges(state).get(ranKey(oldTestsKey(context, { tests, by }, tree)));
}
