import { inSentences } from "../../base/words/in-sentences.ts";
import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import { present } from "../../base/assert.ts";
import { splitCommand, type CommandWords } from "./command-line.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import { previousOf, type SessionState } from "../../session/state/session-state.ts";
import type { VerifyStep } from "../../session/steps/step.ts";
import type { Attempted } from "../../work/unit.ts";
import { changedTests } from "../../evidence/integrity/changed-tests.ts";
import { describeTampering } from "../../evidence/integrity/describe-tampering.ts";
import { harnessFiles, oldTestsOf } from "../../evidence/harness/old-tests.ts";
import { hidesTest } from "../../evidence/integrity/tampering.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { Asks } from "../../evidence/integrity/check-fix.ts";
import { ruleOf } from "../../evidence/rules/all-rules.ts";
import { commandTrees, whyInconclusive } from "./cannot-judge.ts";
import { runBugCommand } from "./run-bug-command.ts";

/**
 * Judges the fix of a bug by the bug's own command. While the command fails, the bug stays open, whatever
 * anybody claims. When it passes, the bug is closed, with two exceptions. A fix that took a test away reopens
 * it. If the command passes only with the tests that the fix changed, the engine decides whether these were
 * wrong. The engine also decides about bugs whose command cannot be run or proves nothing any more.
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
  const words = splitCommand(item.command ?? "");
  if (!words.ok) return { kind: "asks", evidence: "" };
  const place = { unit, words: words.value, at };
  const ran = await runBugCommand(context, state.tester.ran, place);
  if (ran.kind !== "ran") return ran;
  if (ran.outcome !== "passed") {
    const clone = await context.clone();
    need(await clone.syncTo(at));
    const directories = commandTrees(context, clone);
    const why = await whyInconclusive(context, { ...place, directories, ran });
    if (why !== undefined) return { kind: "asks", evidence: inconclusiveEvidence(why, ran.shown) };
    return reopened(`its command still fails: ${ran.line}`);
  }
  if (fix.outcome !== "fixed") return CLOSED;
  const bySavedTests = await withSavedTests(context, state, { ...place, item });
  return (
    bySavedTests ?? judgeTests(context, state, { ...place, start: previousOf(state.branch, at) })
  );
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

/** Tests that the tester saved with the bug are part of it: a fix may neither leave them out nor bend them. */
async function withSavedTests(
  context: RoleContext<"tester">,
  { tester }: SessionState,
  { item, ...place }: Omit<FixedAt, "start"> & { readonly item: Finding },
): Promise<Attempted<FixVerdict> | Asks | undefined> {
  const clone = await context.clone();
  const saved = item.tests === undefined ? undefined : need(await clone.saved(item.tests));
  if (saved === undefined) return undefined;
  const tests = { from: saved.commit, paths: saved.paths, commands: new Map<string, string>() };
  const ran = await runBugCommand(context, tester.ran, { ...place, tests });
  if (ran.kind !== "ran") return ran;
  if (ran.outcome === "passed") return undefined;
  const evidence =
    `wisp ran the command: it passes, but not with the tests that came with the bug ` +
    `(${saved.paths.join(", ")}). With these it fails:\n${ran.shown}\n` +
    `Did the fix correct a wrong test, or did it leave the bug?`;
  return { kind: "asks", evidence };
}

interface FixedAt {
  readonly unit: string;
  readonly words: CommandWords;
  readonly start: Oid;
  readonly at: Oid;
}

/** Judges what the fix did to the tests that existed before it. */
async function judgeTests(
  context: RoleContext<"tester">,
  { tester }: SessionState,
  { start, ...place }: FixedAt,
): Promise<Attempted<FixVerdict> | Asks> {
  const range = { start, end: place.at };
  const changed = need(await changedTests(await context.clone(), range, context.session));
  const { tampering } = changed;
  const hidden = tampering.filter(hidesTest);
  if (hidden.length > 0) {
    return reopened(
      `its command passes, but the fix takes tests away: ${describeTampering(hidden)}`,
    );
  }
  const files = [
    ...new Set([...changed.old, ...changed.commands.keys(), ...harnessFiles(changed)]),
  ];
  if (files.length === 0) return CLOSED;
  const tests = oldTestsOf(changed, start, "old-harness");
  const before = await runBugCommand(context, tester.ran, { ...place, tests });
  if (before.kind !== "ran") return before;
  if (before.outcome === "passed") return CLOSED;
  const evidence =
    `wisp ran the command: it passes, but only with the tests that the fix changed ` +
    `(${files.join(", ")}). With them as they were it fails:\n${before.shown}\n` +
    `Did the fix correct a wrong test, or did it bend a right one?`;
  return { kind: "asks", evidence };
}
