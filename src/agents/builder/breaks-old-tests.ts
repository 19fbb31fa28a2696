import { present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { Computed, Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { openerOf } from "../../fs-protocol/records/item-id.ts";
import { askedByFixes } from "../integrity/asked-by-fixes.ts";
import { changedTests, type ChangedTests } from "../integrity/changed-tests.ts";
import { textOfItem, mayAskToChangeTests } from "../integrity/check-fix.ts";
import { testTitles } from "../integrity/find-tests.ts";
import { unaskedFailures, type FailedTests } from "../integrity/test-findings.ts";
import { redBefore, tryOldTests, waysToRun, type RedBefore } from "../integrity/try-old-tests.ts";
import { harnessFiles } from "../harness/old-tests.ts";
import type { RoleContext } from "../work/role-context.ts";
import { verifyAt } from "./verify.ts";

/** A fix that is about to be published, as one commit. */
export interface MadeFix {
  readonly unit: string;
  readonly findings: readonly Finding[];
  /** The milestone that it is counted for. */
  readonly m: string | undefined;
  /** The commit that it is on. */
  readonly onto: Oid;
  readonly head: Oid;
}

export type OldTestsOfFix =
  /** `broken`: why the fix is worse; undefined: it is not, as far as old tests say. */
  { readonly kind: "seen"; readonly broken: string | undefined } | { readonly kind: "stopped" };

const FINE: OldTestsOfFix = { kind: "seen", broken: undefined };

/**
 * Whether a fix that changed tests, or what runs them, breaks what they held: these as they stood before it are run on
 * its tree. What fails there, and neither before nor with the tests of the fix, has to be asked for, as in a
 * milestone. Old tests that cannot be loaded any more say nothing.
 */
export async function breaksOldTests(
  context: RoleContext<"builder">,
  state: SessionState,
  fix: MadeFix,
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
  if (tried.kind === "stopped") return tried;
  const said = tried.tries.find(({ isInconclusive }) => !isInconclusive);
  if (said?.newFailures.isBlamed !== true) return FINE;
  const harness = said.by === "old-harness" ? harnessFiles(changed) : [];
  const { failing } = said.newFailures;
  const failures = { ...changed, harness, failing, tail: said.ran.tail };
  const broken = await withoutPutBack(clone, unaskedFailures(failures, asked), findings);
  return broken.length === 0 ? FINE : { kind: "seen", broken: wordsOf(broken, said.ran.tail) };
}

/** Without tests that the tester kept back for the fix, and which came with it: they are nobody's doing. */
async function withoutHeld(
  clone: Clone,
  changed: ChangedTests,
  { findings, head }: MadeFix,
): Promise<ChangedTests> {
  const refs = new Set(findings.flatMap(({ tests }) => tests ?? []));
  const held: string[] = [];
  for (const ref of refs) held.push(...(await heldIn(clone, ref, head)));
  return { ...changed, old: changed.old.filter((path) => !held.includes(path)) };
}

/** Files of a commit that are as they were kept back. */
async function heldIn(clone: Clone, ref: string, head: Oid): Promise<readonly string[]> {
  const saved = need(await clone.saved(ref));
  const held: string[] = [];
  for (const path of saved?.paths ?? []) {
    const brought = need(await clone.show(saved?.commit ?? head, path));
    if (brought === need(await clone.show(head, path))) held.push(path);
  }
  return held;
}

/** What may be done to tests: what the milestone's tasks say, fixes in it, and what is to be fixed now. */
function askedOf(state: SessionState, { m, findings, onto }: MadeFix): readonly string[] {
  const { builder, branch } = state;
  const tasks = builder.plan.find(({ name }) => name === m)?.tasks ?? [];
  const start = builder.milestones.find(({ name }) => name === m)?.start ?? onto;
  const range = { start, end: branch.head ?? onto };
  const own = findings.filter(mayAskToChangeTests).flatMap((item) => {
    // Its opener may have said more when it was not satisfied.
    const refusal = state[openerOf(item.id)].refusals.get(item.id);
    return [textOfItem(item), ...(refusal === undefined ? [] : [refusal])];
  });
  return [...tasks, ...askedByFixes(state, range, mayAskToChangeTests), ...own];
}

/** What was red before the fix, with the fix, or at the session's base blames nobody. */
async function redAround(
  context: RoleContext<"builder">,
  { onto, head }: MadeFix,
): Promise<RedBefore | "stopped"> {
  const ends = [];
  for (const at of [context.session.base, onto, head]) {
    // What was verified meanwhile is on record.
    const { builder } = need(await context.reader.read());
    const verified = await verifyAt(context, builder, at);
    if (verified.kind === "stopped") return "stopped";
    ends.push(verified);
  }
  const [base, ...around] = ends;
  return redBefore(base?.failing ?? [], around);
}

/**
 * What wisp computed asks for tests to be put back, and is closed only by running these: that they failed as they
 * stood in between is what was to be fixed.
 */
async function withoutPutBack(
  clone: Clone,
  failed: readonly FailedTests[],
  findings: readonly Finding[],
): Promise<readonly FailedTests[]> {
  let left = failed;
  for (const finding of findings) {
    const of = finding.computed?.of;
    if (of !== undefined && PUTS_BACK.includes(of))
      left = await withoutTestsOf(clone, left, finding);
  }
  return left;
}

const PUTS_BACK: readonly Computed["of"][] = ["hidden", "old", "harness", "base-tests"];

async function withoutTestsOf(
  clone: Clone,
  failed: readonly FailedTests[],
  { computed, file }: Finding,
): Promise<readonly FailedTests[]> {
  const start = present(computed?.start, "what puts tests back was computed");
  const kept: FailedTests[] = [];
  for (const each of failed) {
    const isMeant = file === undefined || each.file === undefined || each.file === file;
    const names = isMeant ? await namesSince(clone, start, each) : each.names;
    if (!isMeant || names.length > 0) kept.push({ ...each, names });
  }
  return kept;
}

/** Of failing tests those that were not there at a commit; none where the tests of the file cannot be told apart. */
async function namesSince(
  clone: Clone,
  start: Oid,
  { file, names }: FailedTests,
): Promise<readonly string[]> {
  const source = file === undefined ? "" : need(await clone.show(start, file));
  const titles = testTitles(file ?? "", source ?? "");
  if (titles.length === 0) return [];
  return names.filter((name) => !titles.some((title) => name.includes(title)));
}

const NAMES_MAX = 10;
const NAME_CHARS_MAX = 80;
const TAIL_CHARS_MAX = 300;

function wordsOf(broken: readonly FailedTests[], tail: string): string {
  const names = broken.flatMap(({ file, names: failing }) => {
    const of = file === undefined ? "" : `${file}: `;
    if (failing.length === 0) return [`${of}${tail.slice(-TAIL_CHARS_MAX)}`];
    return failing.map((name) => `${of}${name.slice(0, NAME_CHARS_MAX)}`);
  });
  const few = names.slice(0, NAMES_MAX).join("; ");
  const more = names.length > NAMES_MAX ? `; and ${String(names.length - NAMES_MAX)} more` : "";
  return `tests as they were before the fix fail on it, which nothing asks for: ${few}${more}. Keep what they hold, and leave them as they are`;
}
