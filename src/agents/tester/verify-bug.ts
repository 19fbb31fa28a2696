import { inSentences } from "../../base/words/in-sentences.ts";
import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import { present } from "../../base/assert.ts";
import { readBugCommand, type BugCommand } from "./bug-command.ts";
import { commandPlaces } from "./command-places.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import { previousOf, type SessionState } from "../../session/state/session-state.ts";
import type { VerifyStep } from "../../session/steps/step.ts";
import type { Attempted } from "../../work/unit.ts";
import { changedTests } from "../../evidence/integrity/changed-tests.ts";
import { describeTampering } from "../../evidence/integrity/describe-tampering.ts";
import { changedForTests } from "../../evidence/harness/data-of-tests.ts";
import { harnessFiles, oldTestsOf } from "../../evidence/harness/old-tests.ts";
import { hidesTest } from "../../evidence/integrity/tampering.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { Asks } from "../../evidence/integrity/check-fix.ts";
import { ruleOf } from "../../evidence/rules/all-rules.ts";
import { commandTrees, whyInconclusive } from "./cannot-judge.ts";
import { ownTestsOf } from "./own-tests.ts";
import { runBugCommand, type BugRun, type BugRunEnd } from "./run-bug-command.ts";

/**
 * Judges the fix of a bug by the bug's own command. While the command fails, alone or with the tests that came with
 * the bug, the bug stays open, whatever anybody claims. When it passes, the bug is closed, with two exceptions. A fix
 * that took a test away reopens it. If the command passes only with older tests that the fix changed, the engine
 * decides whether these were wrong. The engine also decides about bugs whose command cannot be run or proves nothing
 * any more.
 *
 * Bugs that wisp computed are judged otherwise: by their rule, which looks again.
 */
export async function judgeByCommand(
  context: RoleContext<"tester">,
  state: SessionState,
  { fix, unit }: VerifyStep,
): Promise<Attempted<FixVerdict> | Asks> {
  const item = present(state.tester.items.get(fix.id), "a bug of one's own is on record");
  const at = present(fix.sha, "a fix to judge names a commit");
  const rule = ruleOf(item);
  if (rule?.role === "tester") return rule.findAgain(context, state, { item, unit, at });
  const command = readBugCommand(item.command ?? "", commandPlaces(context));
  if (!command.ok) return { kind: "asks", evidence: unreadable(command.failure.reason) };
  const place = { unit, command: command.value, at };
  const ran = await runBugCommand(context, state.tester.ran, place);
  if (ran.kind !== "ran") return ran;
  const why = await whyUnjudged(context, place, ran);
  if (ran.outcome !== "passed" && why === undefined) {
    return reopened(`its command still fails: ${ran.line}`);
  }
  const byOwnTests = await withOwnTests(context, state, { ...place, item });
  if (byOwnTests !== undefined) return byOwnTests;
  if (why !== undefined) return { kind: "asks", evidence: inconclusiveEvidence(why, ran.shown) };
  if (fix.outcome !== "fixed") return CLOSED;
  return judgeTests(context, state, { ...place, start: previousOf(state.branch, at) });
}

function unreadable(why: string): string {
  return `${inSentences(`wisp did not run the command, which says nothing of this commit: ${why}`)} Is the bug gone? Look for yourself.`;
}

/** Why a command that did not pass proves nothing about the commit; undefined if it does. */
async function whyUnjudged(
  context: RoleContext<"tester">,
  { command, at, tests }: Omit<FixedAt, "start"> & Pick<BugRun, "tests">,
  ran: Extract<BugRunEnd, { kind: "ran" }>,
): Promise<string | undefined> {
  if (ran.outcome === "passed") return undefined;
  const clone = await context.clone();
  need(await clone.syncTo(at));
  const directories = commandTrees(context, clone);
  return whyInconclusive(context, { command, directories, ran, brought: tests?.paths });
}

function inconclusiveEvidence(why: string, shown: string): string {
  return (
    `${inSentences(`wisp ran the command, which says nothing of this commit: ${why}`)} It printed:\n${shown}\n` +
    `Is the bug gone? Look for yourself.`
  );
}

const CLOSED: Attempted<FixVerdict> = { kind: "done", value: { kind: "closed" } };

function reopened(reason: string): Attempted<FixVerdict> {
  return { kind: "done", value: { kind: "reopened", reason } };
}

/**
 * Tests that came with the bug are part of it: while its command fails with them, no engine's word closes it, only a
 * fix, a test that the tester or a person corrected, or a person's dismissal.
 */
async function withOwnTests(
  context: RoleContext<"tester">,
  state: SessionState,
  { item, ...place }: Omit<FixedAt, "start"> & { readonly item: Finding },
): Promise<Attempted<FixVerdict> | Asks | undefined> {
  for (const tests of await ownTestsOf(await context.clone(), state, item, place.at)) {
    const ran = await runBugCommand(context, state.tester.ran, { ...place, tests });
    if (ran.kind !== "ran") return ran;
    if (ran.outcome === "passed") continue;
    const why = await whyUnjudged(context, { ...place, tests }, ran);
    const paths = tests.paths.join(", ");
    if (why !== undefined) {
      const what = `wisp ran the command with the tests that came with the bug (${paths}), which says nothing of this commit: ${why}`;
      const evidence = `${inSentences(what)} It printed:\n${ran.shown}\nIs the bug gone? Look for yourself.`;
      return { kind: "asks", evidence };
    }
    return reopened(
      `its command fails with the tests that came with it (${paths}); ` +
        "if they are wrong, the tester or a person has to change them, or a person dismisses the bug. " +
        `With them: ${ran.line}`,
    );
  }
  return undefined;
}

interface FixedAt {
  readonly unit: string;
  readonly command: BugCommand;
  readonly start: Oid;
  readonly at: Oid;
}

/**
 * Judges what the fix did to the tests that existed before it. What they may only read is left as the fix made it, unless
 * its path says that it is meant for tests: a command that reads the product itself would fail with the product as it was.
 */
async function judgeTests(
  context: RoleContext<"tester">,
  { tester }: SessionState,
  { start, ...place }: FixedAt,
): Promise<Attempted<FixVerdict> | Asks> {
  const range = { start, end: place.at };
  const clone = await context.clone();
  const changed = need(await changedTests(clone, range, context.session));
  const { tampering } = changed;
  const hidden = tampering.filter(hidesTest);
  if (hidden.length > 0) {
    return reopened(
      `its command passes, but the fix takes tests away: ${describeTampering(hidden)}`,
    );
  }
  // The bug's command may read them where no test does.
  const read = need(await changedForTests(clone, range));
  const files = [
    ...new Set([
      ...changed.old,
      ...changed.commands.keys(),
      ...harnessFiles(changed, "old-checks-alone"),
      ...read,
    ]),
  ];
  if (files.length === 0) return CLOSED;
  const old = oldTestsOf(changed, start, "old-checks-alone");
  const tests = { ...old, paths: [...new Set([...old.paths, ...read])] };
  const before = await runBugCommand(context, tester.ran, { ...place, tests });
  if (before.kind !== "ran") return before;
  if (before.outcome === "passed") return CLOSED;
  const evidence =
    `wisp ran the command: it passes, but only with the tests that the fix changed ` +
    `(${files.join(", ")}). With them as they were it fails:\n${before.shown}\n` +
    `Did the fix correct a wrong test, or did it bend a right one?`;
  return { kind: "asks", evidence };
}
