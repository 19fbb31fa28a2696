import { present } from "../../base/assert.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import { ranKey } from "../../fs-protocol/records/command-result.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Attempted } from "../work/unit.ts";
import { couldNotLoad } from "../harness/could-not-load.ts";
import { oldTestsOf } from "../harness/old-tests.ts";
import { oldTestsKey as runKeyOf, runOldTests } from "../integrity/run-old-tests.ts";
import { unloadedIn, waysToRun, type OldRan, type RunBy } from "../integrity/try-old-tests.ts";
import type { RoleContext } from "../work/role-context.ts";
import { sinceBase, type SinceBase } from "./base-tests.ts";
import { askedBy, testsOf } from "./sort-failures.ts";

/** A bug about tests of the session's base, and the commit of a fix of it, or of a claim that there is none to make. */
export interface BaseTestsFix {
  readonly item: Finding;
  readonly unit: string;
  readonly at: Oid;
}

type Verdict = Attempted<FixVerdict>;

/**
 * The tests of the session's base once more, whatever is on record of the same tree: the bug is closed when none of
 * those that it names fails any more, or the request now asks for it. Nobody's word closes it, and neither does that
 * they cannot be loaded.
 */
export async function judgeByBaseTests(
  context: RoleContext<"tester">,
  state: SessionState,
  fix: BaseTestsFix,
): Promise<Verdict> {
  const since = await sinceBase(context, fix.at);
  const left = unaskedOf(fix.item, since);
  if (left.length === 0) return closed(fix, "the request asks for it");
  const ways = waysToRun(since.changed, since.passages);
  // Where nothing of them changed since, they are run as they are.
  for (const by of ways.length === 0 ? (["new-harness"] as const) : ways) {
    const ran = await runOnce(context, fix, since, by);
    if (ran.kind === "stopped") return ran;
    const isLast = by === (ways.at(-1) ?? by);
    const isVain = !isLast && saysNothing(ran) && !(await isFoundBy(context, state, fix.item, by));
    if (!isVain) return verdictOf(fix, { left, ran, known: await knownOf(context, state, fix) });
  }
  return { kind: "failed", reason: "the tests of the session's base could not be run" };
}

/** Of the tests that it names those that the request says nothing of. */
function unaskedOf(item: Finding, { passages, changed }: SinceBase) {
  return testsOf(item).filter((test) => askedBy(passages, changed, test) === undefined);
}

/** Not remembered: what is judged may be a claim about the very tree at which they failed. */
function runOnce(
  context: RoleContext<"tester">,
  { item, unit, at }: BaseTestsFix,
  { changed }: SinceBase,
  by: RunBy,
) {
  const { start } = present(item.computed, "a bug about tests of the base was computed");
  const tests = oldTestsOf(changed, start, by);
  const run = { unit, end: at, tests, isWithHarness: by === "old-harness" };
  return runOldTests(context, new Map(), run);
}

function saysNothing(ran: OldRan): boolean {
  if (ran.outcome === "unstarted") return true;
  return (
    ran.outcome === "failed" && couldNotLoad(ran.failing ?? [], `${ran.reason}\n${ran.printed}`)
  );
}

/** What a run at the commit where the bug was found failed at; undefined: it was not run so. */
async function runThen(
  context: RoleContext<"tester">,
  { tester }: SessionState,
  { computed }: Finding,
  by: RunBy,
): Promise<readonly string[] | undefined> {
  const { start, end } = present(computed, "a bug about tests of the base was computed");
  const { tree } = await context.trees.factsAt(end);
  const tests = { from: start, paths: [], commands: new Map<string, string>() };
  const key = runKeyOf(context, { tests, isWithHarness: by === "old-harness" }, tree);
  return tester.ran.get(ranKey(key))?.failing;
}

/** Whether it was by that way of running them that the bug was found: then that has to say something still. */
async function isFoundBy(
  context: RoleContext<"tester">,
  state: SessionState,
  item: Finding,
  by: RunBy,
): Promise<boolean> {
  const failing = await runThen(context, state, item, by);
  return testsOf(item).some(({ name }) => name !== undefined && failing?.includes(name) === true);
}

/** Names that failed, or could not be loaded, where the bug was found. */
async function knownOf(
  context: RoleContext<"tester">,
  state: SessionState,
  { item }: BaseTestsFix,
): Promise<ReadonlySet<string>> {
  const ways = ["old-harness", "new-harness"] as const;
  const all = await Promise.all(ways.map((by) => runThen(context, state, item, by)));
  return new Set(all.flatMap((names) => names ?? []));
}

interface Judged {
  readonly left: ReturnType<typeof testsOf>;
  readonly ran: OldRan;
  readonly known: ReadonlySet<string>;
}

function verdictOf(fix: BaseTestsFix, { left, ran, known }: Judged): Verdict {
  if (ran.outcome === "unstarted") {
    return {
      kind: "failed",
      reason: `the tests of the session's base could not be run: ${ran.reason}`,
    };
  }
  if (ran.outcome === "passed") return closed(fix, "the tests of the session's base pass");
  const { failing } = ran;
  const names = left.flatMap(({ name }) => (name === undefined ? [] : [name]));
  if (failing === undefined || names.length === 0)
    return reopened(fix, ran.tail.slice(-TAIL_CHARS_MAX));
  const still = names.filter((name) => failing.includes(name));
  const lost = unloadedIn(ran).filter((name) => !known.has(name));
  if (still.length > 0) return reopened(fix, still.map((name) => `- ${name}`).join("\n"));
  if (lost.length === 0) return closed(fix, "of the tests that it names none fails any more");
  return reopened(fix, `these cannot be loaded any more: ${lost.join(", ")}`);
}

const TAIL_CHARS_MAX = 600;

function closed({ at }: BaseTestsFix, what: string): Verdict {
  const reason = `wisp looked again at ${abbreviate(at)}: ${what}`;
  return { kind: "done", value: { kind: "closed", reason } };
}

function reopened({ at }: BaseTestsFix, what: string): Verdict {
  const reason = `wisp ran the tests of the session's base again at ${abbreviate(at)}, and they still fail:\n${what}`;
  return { kind: "done", value: { kind: "reopened", reason } };
}
