import { present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { verifyKey } from "../../session/state/builder-state.ts";
import { ranKey } from "../../fs-protocol/records/command-result.ts";
import type { Computed, Finding } from "../../fs-protocol/records/finding.ts";
import type { FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { VerifyStep } from "../../session/steps/step.ts";
import type { Attempted } from "../work/unit.ts";
import { commandKey } from "../verify/command-key.ts";
import { couldNotLoad } from "../harness/could-not-load.ts";
import { countedTests } from "../harness/fewer-tests.ts";
import { harnessFiles, oldTestsOf } from "../harness/old-tests.ts";
import type { RoleContext } from "../work/role-context.ts";
import type { Asks } from "../judge/verify-fix.ts";
import { askedByFixes } from "./asked-by-fixes.ts";
import { isAskedFor } from "./asked-for.ts";
import { changedTests, type ChangedTests } from "./changed-tests.ts";
import { describeTampering } from "./describe-tampering.ts";
import type { Texts } from "./compare-tests.ts";
import type { OldTests } from "./overlay-old-tests.ts";
import { checkFix } from "./check-fix.ts";
import { verifiedEnds } from "./check-tests.ts";
import { runOldTests } from "./run-old-tests.ts";
import { hidesTest, type Tampering } from "./tampering.ts";
import type { TestCase } from "./test-case.ts";
import { oldTestFindings } from "./test-findings.ts";

type Verdict = Attempted<FixVerdict>;

/**
 * Judges a fix, or a claim that there is nothing to fix, as far as wisp can do so itself. A finding that wisp
 * computed is judged entirely by computing it again at the fix; no engine is asked.
 */
export async function recomputeFinding(
  context: RoleContext<"reviewer">,
  state: SessionState,
  step: VerifyStep,
): Promise<Verdict | Asks> {
  const seen = await checkFix(context, state, step);
  const item = present(state.reviewer.items.get(step.fix.id), "an item of one's own is on record");
  if (seen.kind !== "asks" || item.computed === undefined) return seen;
  const at = present(step.fix.sha, "a fix to judge names a commit");
  const clone = await context.clone();
  need(await clone.syncTo(at));
  const again = { item, computed: item.computed, unit: step.unit, clone, at };
  switch (item.computed.of) {
    case "hidden":
      return hiddenAgain(context, state, again);
    case "fewer":
      return fewerAgain(context, state, again);
    case "old":
    case "harness":
      return oldAgain(context, state, again);
    case "unasserted":
      return unassertedAgain(context, again);
    case "verify":
    case "base-tests":
      // Only the tester computes such items.
      return seen;
  }
}

/** A computed finding, and the commit at which to compute it again. */
interface Recomputation {
  readonly item: Finding;
  readonly computed: Computed;
  readonly unit: string;
  readonly clone: Clone;
  readonly at: Oid;
}

/**
 * The texts that may ask for changes to tests from the range's start to `at`: the milestone's tasks, and
 * findings that wisp did not compute and whose fixes are in it.
 */
function tasksOf(state: SessionState, { computed, at }: Recomputation): readonly string[] {
  const tasks = state.builder.plan.find(({ name }) => name === computed.m)?.tasks ?? [];
  const range = { start: computed.start, end: at };
  return [...tasks, ...askedByFixes(state, range, (item) => item.computed === undefined)];
}

async function changedSince(
  { session }: RoleContext<"reviewer">,
  { clone, computed: { start } }: Recomputation,
  end: Oid,
): Promise<ChangedTests> {
  return need(await changedTests(clone, { start, end }, session));
}

/**
 * Compares the tests of the finding with their former versions again. A test that was restored but checks less
 * still counts as changed.
 */
async function hiddenAgain(
  context: RoleContext<"reviewer">,
  state: SessionState,
  again: Recomputation,
): Promise<Verdict> {
  const { item, computed, at } = again;
  const then = await changedSince(context, again, computed.end);
  const hidden = then.tampering.filter((each) => hidesTest(each) && each.file === item.file);
  const tasks = tasksOf(state, again);
  const { tampering, omittedCount } = await changedSince(context, again, at);
  if (omittedCount > then.omittedCount) {
    return { kind: "failed", reason: "more test files have changed since than are compared" };
  }
  const remaining = tampering.filter(
    (each) =>
      (hidesTest(each) || each.kind === "weakened") &&
      hidden.some((other) => testOf(other) === testOf(each)) &&
      !isAskedFor(tasks, { file: each.file, titles: [each.what] }),
  );
  if (remaining.length === 0) return closed(at, "the tests are there as they were");
  return reopened(at, describeTampering(remaining));
}

/** Checks which of the finding's tests still check nothing. A test that was deleted no longer counts. */
async function unassertedAgain(
  context: RoleContext<"reviewer">,
  again: Recomputation,
): Promise<Verdict> {
  const { item, computed, at } = again;
  const name = ({ path }: TestCase) => path.join(" > ");
  const then = await changedSince(context, again, computed.end);
  const names = then.unasserted.filter(({ file }) => file === item.file).map(name);
  const now = await changedSince(context, again, at);
  const remaining = now.unasserted.filter(
    (each) => each.file === item.file && names.includes(name(each)),
  );
  if (remaining.length === 0) return closed(at, "none of the tests checks nothing any more");
  return reopened(at, remaining.map((each) => `- ${name(each)} checks nothing`).join("\n"));
}

/** The identity of a test: its file and name at the start of the range. */
function testOf({ file, what, was = { file, what } }: Tampering): string {
  return JSON.stringify([was.file, was.what]);
}

/** Runs the tests from the start of the range again. */
async function oldAgain(
  context: RoleContext<"reviewer">,
  state: SessionState,
  again: Recomputation,
): Promise<Verdict> {
  const { item, computed, unit, at } = again;
  const { start, end } = computed;
  const then = await changedSince(context, again, end);
  const now = await changedSince(context, again, at);
  const isWithHarness = computed.of === "harness";
  const tests = oldTestsOf(
    stillChanged(then, now),
    start,
    isWithHarness ? "old-harness" : "new-harness",
  );
  if (isAsBefore(tests, now) && (await isGreen(context, state, again))) {
    return closed(at, "the tests are as they were, and verify passes");
  }
  const run = { unit, end: at, tests, isWithHarness };
  const ran = await runOldTests(context, state.reviewer.ran, run);
  if (ran.kind === "stopped") return ran;
  if (ran.outcome === "unstarted") {
    return { kind: "failed", reason: `the old tests could not be run: ${ran.reason}` };
  }
  if (ran.outcome === "passed") return closed(at, "the tests as they were pass");
  const before = await failingThen(context, state, again);
  if (isWithHarness && couldNotLoad(ran.failing ?? [], `${ran.reason}\n${ran.printed}`)) {
    return reopened(
      at,
      `what ran the tests before cannot be loaded any more:\n${ran.tail.slice(-600)}`,
    );
  }
  // Without names, any failure counts as the same failure.
  const failing = ran.failing?.filter((name) => before?.includes(name) !== false);
  const harness = isWithHarness ? harnessFiles(then) : [];
  const failures = { ...then, harness, failing: failing ?? [], tail: ran.tail };
  const isNamed = failing !== undefined && before !== undefined;
  if (isNamed && failing.length === 0)
    return closed(at, "of the tests as they were none fails any more");
  const remaining = oldTestFindings(failures, tasksOf(state, again), computed);
  if (isNamed && !remaining.some(({ file }) => file === item.file)) {
    return closed(at, "its tests as they were pass, or the plan asks for what they fail at");
  }
  return reopened(
    at,
    (failing ?? []).map((name) => `- ${name}`).join("\n") || ran.tail.slice(-600),
  );
}

/**
 * The part of a range's changes that still differs from before; changes by later ranges are not its concern.
 */
function stillChanged(then: ChangedTests, now: ChangedTests): ChangedTests {
  const among = (paths: readonly string[], others: readonly string[]) =>
    paths.filter((path) => others.includes(path));
  const textsOf = (texts: Texts, others: Texts) =>
    new Map([...texts].filter(([path]) => others.has(path)));
  return {
    ...now,
    old: among(then.old, now.old),
    commands: textsOf(now.commands, then.commands),
    harness: {
      ...now.harness,
      overlaid: among(then.harness.overlaid, now.harness.overlaid),
      removed: among(then.harness.removed, now.harness.removed),
      restored: textsOf(now.harness.restored, then.harness.restored),
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

/** Compares the number of tests that verify ran at the start of the range and at the fix, by its output. */
async function fewerAgain(
  context: RoleContext<"reviewer">,
  state: SessionState,
  { computed, clone, at }: Recomputation,
): Promise<Verdict> {
  const range = { start: computed.start, end: at };
  const ends = await verifiedEnds(context.session, state, clone, range);
  const counted = countedTests(context, ends);
  if (counted === undefined) return reopened(at, "verify does not say how many tests ran");
  const counts = `verify ran ${String(counted.after)} tests, and ${String(counted.before)} before`;
  return counted.fall === "most" ? reopened(at, counts) : closed(at, counts);
}

/** Whether verify passed at the fix; it ran before the fix was published. */
async function isGreen(
  { session }: RoleContext<"reviewer">,
  { builder }: SessionState,
  { clone, at }: Recomputation,
): Promise<boolean> {
  const tree = need(await clone.treeOf(at));
  return builder.verified.get(verifyKey(commandKey(session.verify), tree))?.outcome === "passed";
}

/** Names of the tests that failed when the finding was computed; undefined if none were known. */
async function failingThen(
  { session }: RoleContext<"reviewer">,
  { reviewer }: SessionState,
  { computed: { of, start, end }, clone }: Recomputation,
): Promise<readonly string[] | undefined> {
  const harness = of === "harness" ? start : undefined;
  const tree = need(await clone.treeOf(end));
  const command = commandKey(session.verify);
  return reviewer.ran.get(ranKey({ command, tree, tests: start, harness }))?.failing;
}

function closed(at: Oid, what: string): Verdict {
  const reason = `wisp looked again at ${abbreviate(at)}: ${what}`;
  return { kind: "done", value: { kind: "closed", reason } };
}

function reopened(at: Oid, what: string): Verdict {
  const reason = `wisp looked again at ${abbreviate(at)}, and it is still so:\n${what}`;
  return { kind: "done", value: { kind: "reopened", reason } };
}
