import type { Oid } from "../../base/oid.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { harnessChange, harnessTampering, type HarnessChange } from "../harness/harness-change.ts";
import { ofAnyLanguage, mayMixTestsAndCode, testLanguageOf } from "../languages/all-languages.ts";
import { testPathMatcher } from "../verify/test-paths.ts";
import {
  compareCommands,
  compareKnownRed,
  compareSettings,
  isSettings,
} from "./compare-settings.ts";
import { compareTests, type Texts } from "./compare-tests.ts";
import { isCountedAnew } from "./counted-checks.ts";
import { isReadWhole } from "./find-tests.ts";
import { named } from "./left-out.ts";
import type { Tampering } from "./tampering.ts";
import type { TestCase } from "./test-case.ts";
import { withTestCommandsOf } from "./test-commands.ts";
import { unassertedTests } from "./unasserted-tests.ts";

/** What a range changed in tests, their settings and what runs them. */
export interface ChangedTests {
  readonly tampering: readonly Tampering[];
  /** New tests that check nothing. */
  readonly unasserted: readonly TestCase[];
  /** The changed or removed files, as they were before the range. */
  readonly before: Texts;
  /** The paths of the test files among these: they can be overlaid on the new code. */
  readonly old: readonly string[];
  /** Files that exist after the range, with their test commands from before it, where these changed. */
  readonly commands: Texts;
  /** What else the tests run by (the harness), as far as the range changed it. */
  readonly harness: HarnessChange;
  /** New test files. They are removed when old tests run, since they may need what the range added. */
  readonly newTestFiles: readonly string[];
  /** Whether totals of tests before and after the range cannot be compared. */
  readonly isCountedAnew: boolean;
  /** How many changed files were not compared, because there were too many. */
  readonly omittedCount: number;
  /** What of the old tests, or of what ran them, was left out: with any, it is not known what the range did to tests. */
  readonly uncompared: readonly string[];
}

/** Changed files of one range whose texts are compared; those that were there before come first. */
const FILES_MAX = 1_000;

/** Compares the tests at both ends of a range. Moved or reformatted tests count as unchanged. */
export async function changedTests(
  clone: Pick<Clone, "changedPaths" | "show" | "pathsAt" | "linesLike">,
  { start, end }: { readonly start: Oid; readonly end: Oid },
  { testPaths, verify }: Pick<SessionJson, "testPaths" | "verify">,
): Promise<Result<ChangedTests, GitFailure>> {
  const isTest = testFileMatcher(testPaths);
  // In both directions, because a rename is listed only under its new path.
  const there = await clone.changedPaths(start, end);
  if (!there.ok) return there;
  const back = await clone.changedPaths(end, start);
  if (!back.ok) return back;
  const paths = [...new Set([...there.value, ...back.value].map(({ path }) => path))].sort();
  const trees = await treesOf(clone, { start, end });
  if (!trees.ok) return trees;
  const was = trees.value.before;
  const readable = paths.filter((path) => mayHoldTests(path) || (isTest(path) && hasTests(path)));
  const former = readable.filter((path) => was.has(path));
  // New files come last: a test can only be lost in one that was there before.
  const compared = [...former, ...readable.filter((path) => !was.has(path))].slice(0, FILES_MAX);
  const before = await textsOf(clone, start, compared);
  if (!before.ok) return before;
  const after = await textsOf(clone, end, compared);
  if (!after.ok) return after;
  const range = { start, end, verify, changed: paths, isTest, ...trees.value };
  const harness = await harnessChange(clone, range);
  if (!harness.ok) return harness;
  // A name that is not UTF-8 cannot be given back to git.
  const old = paths.filter((path) => isTest(path) && was.has(path) && !path.includes("\uFFFD"));
  return ok({
    tampering: [
      ...compareTests(before.value, after.value),
      ...compareSettings(before.value, after.value, harness.value.called),
      ...(await changedVerify(before.value.get(CONFIG), after.value.get(CONFIG))),
      ...harnessTampering(harness.value),
    ],
    unasserted: unassertedTests(before.value, after.value),
    before: before.value,
    old,
    commands: formerCommands(before.value, after.value, old),
    harness: harness.value,
    newTestFiles: paths.filter(
      (path) => !was.has(path) && trees.value.after.has(path) && isTestFile(path, isTest),
    ),
    isCountedAnew: isCountedAnew(before.value, after.value),
    omittedCount: readable.length - compared.length,
    uncompared: [...leftOut(former.length, before.value), ...harness.value.uncompared],
  });
}

async function treesOf(
  clone: Pick<Clone, "pathsAt">,
  { start, end }: { readonly start: Oid; readonly end: Oid },
): Promise<
  Result<{ readonly before: ReadonlySet<string>; readonly after: ReadonlySet<string> }, GitFailure>
> {
  const before = await clone.pathsAt(start);
  if (!before.ok) return before;
  const after = await clone.pathsAt(end);
  return after.ok ? ok({ before: new Set(before.value), after: new Set(after.value) }) : after;
}

/** What was left out of the comparison of old tests. A file that grew too long is compared: its tests are missing. */
function leftOut(formerCount: number, before: Texts): readonly string[] {
  const more = formerCount - FILES_MAX;
  const long = [...before].flatMap(([path, text]) => (isReadWhole(path, text) ? [] : [path]));
  return [
    ...(more > 0 ? [`${String(more)} more changed test files than are compared`] : []),
    ...(long.length > 0 ? [`${named(long)}: too long to be read whole`] : []),
  ];
}

async function textsOf(
  clone: Pick<Clone, "show">,
  at: Oid,
  paths: readonly string[],
): Promise<Result<Texts, GitFailure>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const shown = await clone.show(at, path);
    if (!shown.ok) return shown;
    if (shown.value !== undefined) texts.set(path, shown.value);
  }
  return ok(texts);
}

/**
 * Restores the former test commands in files that exist before and after. Files that are overlaid whole are
 * skipped.
 */
function formerCommands(before: Texts, after: Texts, old: readonly string[]): Texts {
  return new Map(
    [...before].flatMap(([path, text]) => {
      const now = old.includes(path) || path.includes("\uFFFD") ? undefined : after.get(path);
      const restored = now === undefined ? undefined : withTestCommandsOf(path, text, now);
      return restored === undefined ? [] : [[path, restored] as const];
    }),
  );
}

const CONFIG = ".wisp/config.yaml";

/**
 * Compares the configured verify commands, and the tests that may be red. Those of this session are frozen; a change
 * affects the next session and is reported.
 */
async function changedVerify(
  before: string | undefined,
  after: string | undefined,
): Promise<readonly Tampering[]> {
  if (before === after) return [];
  // Imported only if the settings changed, which is rare: loading the parser at every start would cost too
  // much.
  const { loadConfig } = await import("../../settings/config/load-config.ts");
  const [one, other] = [loadConfig(before), loadConfig(after)];
  if (!one.ok || !other.ok) return [];
  const [was, is] = [one.value.verify, other.value.verify];
  return [
    ...compareCommands(CONFIG, was?.run ?? [], is?.run ?? []),
    ...compareKnownRed(CONFIG, was?.knownRed ?? [], is?.knownRed ?? []),
  ];
}

const RUN_ALONE = ofAnyLanguage(({ testFiles }) => testFiles, [], "i");
/** The files in which runners look for tests by default, whatever the session's settings name. */
const CONVENTION = ofAnyLanguage(
  ({ testFiles }) => testFiles,
  [/(?:^|\/)(?:tests?|specs?|__tests__)\//, /[._](?:test|spec)\.[^/]+$/],
  "i",
);

/**
 * Whether a file holds only tests, by its name; always false for a language whose files load one another by
 * name.
 */
function isTestFile(path: string, isTest: (path: string) => boolean): boolean {
  return isTest(path) && !path.includes("\uFFFD") && RUN_ALONE.test(path);
}

/** Whether the tests in a file can be told apart, so that its text is read. */
function hasTests(path: string): boolean {
  return testLanguageOf(path) !== undefined;
}

/** Returns a function that tells whether a path is that of a test file. */
export function testFileMatcher(testPaths: readonly string[]): (path: string) => boolean {
  const isTestPath = testPathMatcher(testPaths);
  return (path) => isTestPath(path) || CONVENTION.test(path);
}

/**
 * Whether a file may hold tests or their settings. Tests that share a file with code are compared, but such a
 * file cannot be overlaid alone.
 */
function mayHoldTests(path: string): boolean {
  return mayMixTestsAndCode(path) || path === CONFIG || isSettings(path);
}
