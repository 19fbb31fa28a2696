import { present } from "../../base/assert.ts";
import { abbreviate } from "../../base/oid.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import { ranKey, type RanCommand } from "../../fs-protocol/records/command-result.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Attempted } from "../../work/unit.ts";
import { couldNotLoad } from "../harness/could-not-load.ts";
import { isPartial, OLD_HARNESS_WAYS, oldTestsOf, type RunBy } from "../harness/old-tests.ts";
import { SUITE_REPEATS_MAX } from "../../base/look-limits.ts";
import {
  oldTestsKey as runKeyOf,
  runOldTests,
  runsOfJudges,
  type OldTestsEnd,
} from "../integrity/run-old-tests.ts";
import { unloadedIn, waysToRun, type OldRan } from "../integrity/try-old-tests.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { Repeats } from "../look/repeats.ts";
import { asksAt } from "../look/unknown-question.ts";
import { failureLine } from "../verify/failure-report.ts";
import type { FindAgain } from "../rules/evidence-rule.ts";
import { sinceBase, type SinceBase } from "./base-tests.ts";
import { askedBy, testsOf } from "./sort-failures.ts";

type Verdict = Attempted<FixVerdict>;

/**
 * Runs the base tests again, even if a result for the same tree is recorded. The bug is closed when none of
 * the tests that it names fails any more, or when the request now asks for their failure. Nobody's claim
 * closes it, and tests that cannot be loaded do not close it either.
 */
export async function judgeByBaseTests(
  context: RoleContext<"tester">,
  state: SessionState,
  fix: FindAgain,
): Promise<Verdict> {
  const since = await sinceBase(context, fix.at);
  const unasked = unaskedOf(fix.item, since);
  if (unasked.length === 0) return closed(fix, "the request asks for it");
  const ways = waysToRun(since.changed, since.passages);
  let verdict: Verdict | undefined;
  // If none of the tests changed since the base, they run as they are now.
  for (const by of ways.length === 0 ? (["new-harness"] as const) : ways) {
    // What the old harness restores may be the product: then its success does not close the bug.
    if (verdict !== undefined && !isPartial(by)) break;
    const place = { unasked, by, since, repeats: new Repeats(context) };
    const ran = await runOnce(context, fix, place, 0);
    if (ran.kind !== "ran") return endOf(fix, ran);
    const isLast = verdict === undefined && by === (ways.at(-1) ?? by);
    const isInconclusive =
      !isLast && couldNotRun(ran) && !(await wasFoundBy(context, state, fix.item, by));
    if (isInconclusive) continue;
    verdict = await confirmedVerdict(context, state, fix, { ...place, ran });
    if (verdict.kind !== "done" || verdict.value.kind !== "closed") return verdict;
  }
  return verdict ?? { kind: "failed", reason: "the tests of the session's base could not be run" };
}

/** The tests of the bug whose failure the request does not ask for. */
function unaskedOf(item: Finding, { passages, changed }: SinceBase) {
  return testsOf(item).filter((test) => askedBy(passages, changed, test) === undefined);
}

interface JudgedBy {
  readonly unasked: ReturnType<typeof testsOf>;
  readonly by: RunBy;
  readonly since: SinceBase;
  readonly repeats: Repeats;
}

/** What follows from a run; one by which the bug stays open is repeated before it counts, and what passes once has passed. */
async function confirmedVerdict(
  context: RoleContext<"tester">,
  state: SessionState,
  fix: FindAgain,
  { ran: first, ...place }: JudgedBy & { readonly ran: OldRan },
): Promise<Verdict> {
  const known = await failedThen(context, state, fix);
  let ran = first;
  for (let again = 1; ; again++) {
    const verdict = verdictOf(fix, { unasked: place.unasked, ran, known });
    const isReopened = verdict.kind === "done" && verdict.value.kind === "reopened";
    if (!isReopened || again > SUITE_REPEATS_MAX) return verdict;
    const next = await runOnce(context, fix, place, again);
    if (next.kind !== "ran") return endOf(fix, next);
    ran = next;
  }
}

/** The end of an attempt in which nothing could be judged. */
function endOf({ at }: FindAgain, ran: Exclude<OldTestsEnd, { kind: "ran" }>): Verdict {
  return ran.kind === "unknown" ? asksAt(at, ran.reason) : ran;
}

/** Ignores recorded results: a claim may be judged at the very tree at which the tests failed. */
function runOnce(
  context: RoleContext<"tester">,
  { item, unit, at }: FindAgain,
  { since: { changed }, by, repeats }: Omit<JudgedBy, "unasked">,
  again: number,
) {
  const { start } = present(item.computed, "a bug about tests of the base was computed");
  const tests = oldTestsOf(changed, start, by);
  const run = { unit, end: at, tests, by, again, repeats };
  return runOldTests(context, new Map(), run);
}

function couldNotRun(ran: OldRan): boolean {
  if (ran.outcome === "unstarted") return true;
  return (
    ran.outcome === "failed" && couldNotLoad(ran.failing ?? [], `${ran.reason}\n${ran.printed}`)
  );
}

/** How the run in that way ended at the commit where the bug was found; undefined if there was none. */
async function ranThen(
  context: RoleContext<"tester">,
  state: SessionState,
  { computed }: Finding,
  by: RunBy,
): Promise<RanCommand | undefined> {
  const { start, end } = present(computed, "a bug about tests of the base was computed");
  const { tree } = await context.trees.factsAt(end);
  const tests = { from: start, paths: [], commands: new Map<string, string>() };
  const key = runKeyOf(context, { tests, by }, tree);
  return runsOfJudges(state).get(ranKey(key));
}

/** Whether this way of running the tests found the bug: only then does it have to give a result again. */
async function wasFoundBy(
  context: RoleContext<"tester">,
  state: SessionState,
  item: Finding,
  by: RunBy,
): Promise<boolean> {
  const then = await ranThen(context, state, item, by);
  return testsOf(item).some(({ name }) =>
    name === undefined ? then?.outcome === "failed" : then?.failing?.includes(name) === true,
  );
}

/** The names that failed, or could not be loaded, when the bug was found. */
async function failedThen(
  context: RoleContext<"tester">,
  state: SessionState,
  { item }: FindAgain,
): Promise<ReadonlySet<string>> {
  const ways = [...OLD_HARNESS_WAYS, "new-harness"] as const;
  const all = await Promise.all(ways.map((by) => ranThen(context, state, item, by)));
  return new Set(all.flatMap((ran) => ran?.failing ?? []));
}

interface Judged {
  readonly unasked: ReturnType<typeof testsOf>;
  readonly ran: OldRan;
  readonly known: ReadonlySet<string>;
}

function verdictOf(fix: FindAgain, { unasked, ran, known }: Judged): Verdict {
  if (ran.outcome === "unstarted") {
    return {
      kind: "failed",
      reason: `the tests of the session's base could not be run: ${ran.reason}`,
    };
  }
  if (ran.outcome === "passed") return closed(fix, "the tests of the session's base pass");
  const { failing } = ran;
  const names = unasked.flatMap(({ name }) => (name === undefined ? [] : [name]));
  if (failing === undefined || names.length === 0) return reopened(fix, failureLine(ran.red));
  const still = names.filter((name) => failing.includes(name));
  const lost = unloadedIn(ran).filter((name) => !known.has(name));
  if (still.length > 0) return reopened(fix, still.map((name) => `- ${name}`).join("\n"));
  if (lost.length === 0) return closed(fix, "of the tests that it names none fails any more");
  return reopened(fix, `these cannot be loaded any more: ${lost.join(", ")}`);
}

function closed({ at }: FindAgain, what: string): Verdict {
  const reason = `wisp looked again at ${abbreviate(at)}: ${what}`;
  return { kind: "done", value: { kind: "closed", reason } };
}

function reopened({ at }: FindAgain, what: string): Verdict {
  const reason = `wisp ran the tests of the session's base again at ${abbreviate(at)}, and they still fail:\n${what}`;
  return { kind: "done", value: { kind: "reopened", reason } };
}
