import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { previousOf, type SessionState } from "../../session/state/session-state.ts";
import { languageOf } from "../../settings/reviewers/languages.ts";
import { clip } from "../../work/clip.ts";
import { askedByFixes } from "../../evidence/integrity/asked-by-fixes.ts";
import { isAskedFor } from "../../evidence/integrity/asked-for.ts";
import { uncomparedWords } from "../../evidence/integrity/left-out.ts";
import { changedTests } from "../../evidence/integrity/changed-tests.ts";
import { describeTampering } from "../../evidence/integrity/describe-tampering.ts";
import { findTests } from "../../evidence/integrity/find-tests.ts";
import type { Tampering } from "../../evidence/integrity/tampering.ts";
import { testLanguageOf } from "../../evidence/languages/all-languages.ts";
import type { TesterStep } from "../../session/steps/step.ts";
import type { RoleContext } from "../../work/role-context.ts";

type TestStep = Extract<TesterStep, { kind: "test" | "final-test" }>;

/** A tester's turn as one commit, `made`, on top of `at`, the commit that it tested. */
export interface MadeTests {
  readonly clone: Clone;
  readonly at: Oid;
  readonly made: Oid;
}

/**
 * Returns why a tester's commit is refused: it deletes, skips, weakens or empties a test, or changes what
 * runs the tests, and neither the plan nor a fix asked for that. The tester may correct tests that its own
 * commits added in this session. Undefined if the commit harms nothing.
 */
export async function harmedTests(
  { session }: RoleContext<"tester">,
  state: SessionState,
  step: TestStep,
  { clone, at, made }: MadeTests,
): Promise<string | undefined> {
  const range = { start: at, end: made };
  const { tampering, omittedCount, uncompared } = need(await changedTests(clone, range, session));
  if (omittedCount > 0) {
    return `${HARMED} it changes ${String(omittedCount)} more test files than are compared`;
  }
  if (uncompared.length > 0) return clip(`${HARMED} ${uncomparedWords(uncompared)}`);
  const asked = askedOf(state, step, at);
  const all = [...tampering, ...(await deletedFiles(clone, range))];
  const unasked = all.filter(
    ({ kind, file, what }) =>
      !(kind === "harness" && FOR_NEW_TESTS.test(file)) &&
      !isAskedFor(asked, { file, titles: what === "" ? [] : [what] }),
  );
  const harmed: Tampering[] = [];
  for (const each of unasked) {
    if (!(await isOwnTest(state, clone, each))) harmed.push(each);
  }
  return harmed.length === 0 ? undefined : clip(`${HARMED}\n${describeTampering(harmed)}`);
}

/**
 * Files that new tests may need to bring along. Their effect on old tests is checked by running those
 * without them.
 */
const FOR_NEW_TESTS =
  /(?:^|\/)(?:conftest\.py|tsconfig[\w.-]*\.json|makefile|[\w.-]+\.mk|justfile)$/i;

const HARMED = "a tester may only add to the tests that are there:";

/** The note for the next turn's prompt after a turn that was refused for harm; "" otherwise. */
export function harmPrompt(lastFailure: string | undefined): string {
  if (!isHarmFailure(lastFailure)) return "";
  return `What your last turn left was refused, and is not there any more: ${lastFailure}\nLeave these as they are, and add tests beside them. A test that is wrong is a finding of its own: report it.`;
}

/** Whether an attempt failed because its commit harmed tests. */
export function isHarmFailure(lastFailure: string | undefined): lastFailure is string {
  return lastFailure?.startsWith(HARMED) === true;
}

/**
 * The texts that may ask for changes to tests: the tasks concerned, and what the fixes in their range were
 * for.
 */
function askedOf(state: SessionState, step: TestStep, at: Oid): readonly string[] {
  const { plan } = state.builder;
  const isMeant = (name: string) => step.kind === "final-test" || step.milestone.name === name;
  const tasks = plan.filter(({ name }) => isMeant(name)).flatMap((milestone) => milestone.tasks);
  const start = step.kind === "test" ? step.milestone.start : state.branch.base;
  return [...tasks, ...askedByFixes(state, { start, end: at })];
}

/** Deleted code files in languages whose tests wisp does not recognise: any tests in them are gone, too. */
async function deletedFiles(
  clone: Clone,
  { start, end }: { readonly start: Oid; readonly end: Oid },
): Promise<readonly Tampering[]> {
  const changed = need(await clone.changedPaths(start, end));
  return changed.flatMap(({ status, path: file }): Tampering[] => {
    const language = languageOf(file);
    const isCode = language !== undefined && !DATA.includes(language);
    if (status !== "deleted" || !isCode || testLanguageOf(file) !== undefined) return [];
    return [{ kind: "deleted", file, line: 1, what: "" }];
  });
}

/** File types that hold data for tests, not tests. */
const DATA: readonly string[] = ["css", "html", "json", "markdown", "sql", "toml", "yaml"];

/**
 * Whether one of the tester's own commits added the test, published or saved with a bug, and the session's base did
 * not have it.
 */
async function isOwnTest(
  { tester, branch }: SessionState,
  clone: Clone,
  { kind, file, what }: Tampering,
): Promise<boolean> {
  if (kind === "threshold" || kind === "command" || kind === "narrowed") return false;
  const isIn = async (at: Oid) => {
    const text = need(await clone.show(at, file));
    return (
      text !== undefined && findTests(file, text).some(({ path }) => path.join(" > ") === what)
    );
  };
  if (await isIn(branch.base)) return false;
  for (const sha of tester.own?.flat().reverse() ?? []) {
    if ((await isIn(sha)) && !(await isIn(previousOf(branch, sha)))) return true;
  }
  for (const { tests } of tester.items.values()) {
    const saved = tests === undefined ? undefined : need(await clone.saved(tests));
    if (saved?.paths.includes(file) === true && (await isIn(saved.commit))) return true;
  }
  return false;
}
