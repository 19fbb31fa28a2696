import { inSentences } from "../../base/words/in-sentences.ts";
import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import { present } from "../../base/assert.ts";
import { splitCommand, type CommandWords } from "./command-line.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import { previousOf, type SessionState } from "../../session/state/session-state.ts";
import type { VerifyStep } from "../../session/steps/step.ts";
import type { Attempted } from "../work/unit.ts";
import { changedTests } from "../integrity/changed-tests.ts";
import { describeTampering } from "../integrity/describe-tampering.ts";
import { harnessFiles, oldTestsOf } from "../harness/old-tests.ts";
import { hidesTest } from "../integrity/tampering.ts";
import type { RoleContext } from "../work/role-context.ts";
import type { Asks } from "../judge/verify-fix.ts";
import { CANARY_ID } from "./canary-finding.ts";
import { triedIn, whyNoJudgement } from "./cannot-judge.ts";
import { judgeByBaseTests } from "./judge-base-tests.ts";
import { judgeByCanary } from "./look-with-canary.ts";
import { runBugCommand } from "./run-bug-command.ts";
import { verifyHead } from "./verify-head.ts";

/**
 * What the bug's own command says of a fix. While it fails the bug is open, whatever anybody says. When it
 * passes the bug is closed, unless the fix took a test away, which reopens it; or unless the command passes
 * only with the tests that the fix changed: whether these were wrong is a question of sense, and the engine
 * is asked. So is it about a bug without a command that can be run, or whose command cannot judge any more.
 * That verify sees no failing test is judged by planting one again.
 */
export async function judgeByCommand(
  context: RoleContext<"tester">,
  state: SessionState,
  { fix, unit }: VerifyStep,
): Promise<Attempted<FixVerdict> | Asks> {
  const item = present(state.tester.items.get(fix.id), "a bug of one's own is on record");
  if (item.computed?.of === "verify") return judgeByVerify(context, state, { fix, unit });
  if (item.computed?.of === "base-tests") {
    const at = present(fix.sha, "a fix to judge names a commit");
    return judgeByBaseTests(context, state, { item, unit, at });
  }
  if (fix.id === CANARY_ID) {
    const at = present(fix.sha, "a fix to judge names a commit");
    return judgeByCanary(context, state, { unit, at });
  }
  const words = splitCommand(item.command ?? "");
  if (!words.ok) return { kind: "asks", evidence: "" };
  const at = present(fix.sha, "a fix to judge names a commit");
  const place = { unit, words: words.value, at };
  const ran = await runBugCommand(context, state.tester.ran, place);
  if (ran.kind !== "ran") return ran;
  if (ran.outcome !== "passed") {
    const clone = await context.clone();
    need(await clone.syncTo(at));
    const directories = triedIn(context, clone);
    const why = await whyNoJudgement(context, { ...place, directories, ran });
    if (why !== undefined) return { kind: "asks", evidence: noJudgement(why, ran.tail) };
    return reopened(`its command still fails: ${printedOr(ran)}`);
  }
  if (fix.outcome !== "fixed") return CLOSED;
  const held = await withHeldTests(context, state, { ...place, item });
  return held ?? judgeTests(context, state, { ...place, start: previousOf(state.branch, at) });
}

/** The end of what a command printed, with how it ended; of one that printed nothing, how it ended. */
function printedOr({
  tail,
  reason = "",
}: {
  readonly tail: string;
  readonly reason?: string | undefined;
}): string {
  return tail === `(${reason})` ? reason : tail.slice(-REASON_TAIL_CHARS);
}

function noJudgement(why: string, tail: string): string {
  return (
    `${inSentences(`wisp ran the command, which says nothing of this commit: ${why}`)} It printed:\n${tail}\n` +
    `Is the bug gone? Look for yourself.`
  );
}

/** Nobody's judgement: verify is no worse than at the base of the session, or it is. */
async function judgeByVerify(
  context: RoleContext<"tester">,
  state: SessionState,
  { fix, unit }: Pick<VerifyStep, "fix" | "unit">,
): Promise<Attempted<FixVerdict>> {
  const at = present(fix.sha, "a fix to judge names a commit");
  const seen = await verifyHead(context, state, { unit, at });
  if (seen.kind !== "verified") return seen;
  if (seen.verify !== "red") return CLOSED;
  return reopened(`verify is still red: ${seen.tail.slice(-REASON_TAIL_CHARS)}`);
}

/** So much of what the command printed, from its end, has room in a reason. */
const REASON_TAIL_CHARS = 800;

const CLOSED: Attempted<FixVerdict> = { kind: "done", value: { kind: "closed" } };

function reopened(reason: string): Attempted<FixVerdict> {
  return { kind: "done", value: { kind: "reopened", reason } };
}

/** The tests that the tester kept back for the fix are part of the bug: a fix may not leave them out, or bend them. */
async function withHeldTests(
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
    `(${saved.paths.join(", ")}). With these it fails:\n${ran.tail}\n` +
    `Did the fix correct a wrong test, or did it leave the bug?`;
  return { kind: "asks", evidence };
}

interface FixedAt {
  readonly unit: string;
  readonly words: CommandWords;
  readonly start: Oid;
  readonly at: Oid;
}

/** What the fix did to the tests that were there before it. */
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
    `(${files.join(", ")}). With them as they were it fails:\n${before.tail}\n` +
    `Did the fix correct a wrong test, or did it bend a right one?`;
  return { kind: "asks", evidence };
}
