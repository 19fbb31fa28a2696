import { present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { openerOf } from "../../fs-protocol/records/item-id.ts";
import { askedByFixes } from "./asked-by-fixes.ts";
import { changedTests, type ChangedTests } from "./changed-tests.ts";
import { failureLine } from "../verify/failure-report.ts";
import { textOfItem, mayAskToChangeTests } from "./check-fix.ts";
import { testTitles } from "./find-tests.ts";
import { unaskedFailures, type FailedTests } from "./failed-tests.ts";
import { decisiveTry, redBefore, tryOldTests, waysToRun, type RedBefore } from "./try-old-tests.ts";
import { restoredFiles } from "../harness/old-tests.ts";
import { titlesOfIdentity } from "../printed/test-identity.ts";
import { ruleOf } from "../rules/all-rules.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { failureCounts } from "../verify/failure-counts.ts";
import { verifyAt } from "../verify/verify-at.ts";

/** A fix that is about to be published, as one commit. */
export interface UnpublishedFix {
  readonly unit: string;
  readonly findings: readonly Finding[];
  /** The milestone that it is counted for. */
  readonly m: string | undefined;
  /** The commit before the fix. */
  readonly onto: Oid;
  readonly head: Oid;
}

/** What the old tests show about a fix. */
export type OldTestsOfFix =
  /** `broken`: why the fix is worse; undefined if the old tests do not show that it is. */
  | { readonly kind: "seen"; readonly broken: string | undefined }
  /** The runs say nothing about the fix. */
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "stopped" };

const FINE: OldTestsOfFix = { kind: "seen", broken: undefined };

/**
 * Whether a fix that changed tests, or what runs them, breaks what the tests guarded: runs the tests as they were before
 * the fix on the tree of the fix. A test that fails there, but neither before the fix nor with the fix's own tests, needs
 * something that asks for the change, as in a milestone. Old tests that can no longer be loaded do not count.
 */
export async function breaksOldTests(
  context: RoleContext<"builder">,
  state: SessionState,
  fix: UnpublishedFix,
): Promise<OldTestsOfFix> {
  const { session } = context;
  const { unit, findings, onto, head } = fix;
  if (session.verify.length === 0 || onto === head) return FINE;
  const clone = await context.clone();
  const all = need(await changedTests(clone, { start: onto, end: head }, session));
  const changed = await withoutHeld(clone, all, fix);
  const asked = askedOf(state, fix);
  const tried = await tryOldTests(context, state.builder.ran, {
    ...{ unit, start: onto, end: head, changed, ways: waysToRun(changed, asked) },
    before: () => redAround(context, fix),
    isSoleJudge: true,
  });
  if (tried.kind !== "tried") return tried;
  const decisive = decisiveTry(tried.tries);
  if (decisive?.newFailures.isBlamed !== true || decisive.isInconclusive) return FINE;
  const { by, newFailures, ran } = decisive;
  const around = restoredFiles(changed, by);
  const failures = { ...changed, ...around, failing: newFailures.failing };
  const broken = await withoutRestored(clone, unaskedFailures(failures, asked), findings);
  return broken.length === 0
    ? FINE
    : { kind: "seen", broken: wordsOf(broken, failureLine(ran.red)) };
}

/** Leaves out tests that the tester held back and that came with the fix: the fix did not change them. */
async function withoutHeld(
  clone: Clone,
  changed: ChangedTests,
  { findings, head }: UnpublishedFix,
): Promise<ChangedTests> {
  const refs = new Set(findings.flatMap(({ tests }) => tests ?? []));
  const held: string[] = [];
  for (const ref of refs) held.push(...(await heldIn(clone, ref, head)));
  return { ...changed, old: changed.old.filter((path) => !held.includes(path)) };
}

/** The held tests under `ref` that are unchanged at `head`. */
async function heldIn(clone: Clone, ref: string, head: Oid): Promise<readonly string[]> {
  const saved = need(await clone.saved(ref));
  const held: string[] = [];
  for (const path of saved?.paths ?? []) {
    const brought = need(await clone.show(saved?.commit ?? head, path));
    if (brought === need(await clone.show(head, path))) held.push(path);
  }
  return held;
}

/** The texts that may ask for changes of tests: the milestone's tasks, its earlier fixes, and the items of this fix. */
function askedOf(state: SessionState, { m, findings, onto }: UnpublishedFix): readonly string[] {
  const { builder, branch } = state;
  const tasks = builder.plan.find(({ name }) => name === m)?.tasks ?? [];
  const start = builder.milestones.find(({ name }) => name === m)?.start ?? onto;
  const range = { start, end: branch.head ?? onto };
  const own = findings.filter(mayAskToChangeTests).flatMap((item) => {
    // The opener may have asked for more when it did not accept an earlier fix.
    const refusal = state[openerOf(item.id)].refusals.get(item.id);
    return [textOfItem(item), ...(refusal === undefined ? [] : [refusal])];
  });
  return [...tasks, ...askedByFixes(state, range, mayAskToChangeTests), ...own];
}

/** What is red before the fix, with the fix, or at the session's base: the fix is not blamed for that. */
async function redAround(
  context: RoleContext<"builder">,
  { onto, head }: UnpublishedFix,
): Promise<RedBefore | "stopped"> {
  const ends = [];
  for (const at of [context.session.base, onto, head]) {
    // Read again for each commit, because each verification adds its result to the records.
    const { builder } = need(await context.reader.read());
    const verified = await verifyAt(context, builder, at);
    if (verified.kind === "stopped") return "stopped";
    ends.push(verified);
  }
  const [base, ...around] = ends;
  return redBefore(base === undefined ? new Map() : failureCounts(base), around);
}

/**
 * Leaves out tests that a computed finding asks to restore: such a finding is closed only by running them, and that
 * their changed versions fail is what the fix is for.
 */
async function withoutRestored(
  clone: Clone,
  failed: readonly FailedTests[],
  findings: readonly Finding[],
): Promise<readonly FailedTests[]> {
  let remaining = failed;
  for (const finding of findings) {
    if (ruleOf(finding)?.restoresTests === true)
      remaining = await withoutTestsOf(clone, remaining, finding);
  }
  return remaining;
}

async function withoutTestsOf(
  clone: Clone,
  failed: readonly FailedTests[],
  { computed, file }: Finding,
): Promise<readonly FailedTests[]> {
  const start = present(computed?.start, "what puts tests back was computed");
  const others: FailedTests[] = [];
  for (const each of failed) {
    const isMeant = file === undefined || each.file === undefined || each.file === file;
    const names = isMeant ? await namesSince(clone, start, each) : each.names;
    if (!isMeant || names.length > 0) others.push({ ...each, names });
  }
  return others;
}

/** The failing tests that did not exist at `start`; none if the file's tests cannot be told apart by their titles. */
async function namesSince(
  clone: Clone,
  start: Oid,
  { file, names }: FailedTests,
): Promise<readonly string[]> {
  const source = file === undefined ? "" : need(await clone.show(start, file));
  const titles = testTitles(file ?? "", source ?? "");
  if (titles.length === 0) return [];
  return names.filter((name) => !titles.some((title) => titlesOfIdentity(name).includes(title)));
}

const NAMES_MAX = 10;
const NAME_CHARS_MAX = 80;

function wordsOf(broken: readonly FailedTests[], failure: string): string {
  const names = broken.flatMap(({ file, names: failing }) => {
    const of = file === undefined ? "" : `${file}: `;
    if (failing.length === 0) return [`${of}${failure}`];
    return failing.map((name) => `${of}${name.slice(0, NAME_CHARS_MAX)}`);
  });
  const few = names.slice(0, NAMES_MAX).join("; ");
  const more = names.length > NAMES_MAX ? `; and ${String(names.length - NAMES_MAX)} more` : "";
  return `tests as they were before the fix fail on it, which nothing asks for: ${few}${more}. Keep what they hold, and leave them as they are`;
}
