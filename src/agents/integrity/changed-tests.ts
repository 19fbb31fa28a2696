import type { Oid } from "../../base/oid.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { harnessChange, harnessTampering, type HarnessChange } from "../harness/harness-change.ts";
import { ofAnyLanguage, standsBesideCode } from "../languages/all-languages.ts";
import { testPathMatcher } from "../verify/test-paths.ts";
import { compareCommands, compareSettings, isSettings } from "./compare-settings.ts";
import { compareTests, type Texts } from "./compare-tests.ts";
import type { Tampering } from "./tampering.ts";
import type { TestCase } from "./test-case.ts";
import { withTestCommandsOf } from "./test-commands.ts";
import { unassertedTests } from "./unasserted-tests.ts";

/** What a range did to the files that hold tests, or settings of them. */
export interface ChangedTests {
  readonly tampering: readonly Tampering[];
  /** New tests that check nothing. */
  readonly unasserted: readonly TestCase[];
  /** The changed or removed files as they were before. */
  readonly before: Texts;
  /** Of these the test files, by path: what can be put back beside the new code. */
  readonly old: readonly string[];
  /** Files of the tree after the range with the test commands that they had before it, where these changed. */
  readonly commands: Texts;
  /** What else tests are run by, as far as the range changed it. */
  readonly harness: HarnessChange;
  /** New test files, which are no old tests: they may need what the range made. */
  readonly fresh: readonly string[];
  /** How many changed files were not looked at, because there were too many. */
  readonly omittedCount: number;
}

/** Of one range; what comes after is counted. */
const FILES_MAX = 300;

/** Looks at a range of commits; what only moved, or was formatted anew, is the same. */
export async function changedTests(
  clone: Pick<Clone, "changedPaths" | "show" | "pathsAt" | "linesLike">,
  { start, end }: { readonly start: Oid; readonly end: Oid },
  { testPaths, verify }: Pick<SessionJson, "testPaths" | "verify">,
): Promise<Result<ChangedTests, GitFailure>> {
  const isTest = testFileMatcher(testPaths);
  // In both directions: a renamed file is named by where it went.
  const there = await clone.changedPaths(start, end);
  if (!there.ok) return there;
  const back = await clone.changedPaths(end, start);
  if (!back.ok) return back;
  const paths = [...new Set([...there.value, ...back.value].map(({ path }) => path))];
  const concerned = paths.filter((path) => isTest(path) || mayHoldTests(path)).sort();
  const looked = concerned.slice(0, FILES_MAX);
  const before = await textsOf(clone, start, looked);
  if (!before.ok) return before;
  const after = await textsOf(clone, end, looked);
  if (!after.ok) return after;
  const range = { start, end, verify, changed: paths, isTest };
  const harness = await harnessChange(clone, range);
  if (!harness.ok) return harness;
  const old = looked.filter(
    // A name that is not UTF-8 cannot be given back to git.
    (path) => isTest(path) && before.value.has(path) && !path.includes("\uFFFD"),
  );
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
    fresh: looked.filter(
      (path) => !before.value.has(path) && after.value.has(path) && isTestFile(path, isTest),
    ),
    omittedCount: concerned.length - looked.length,
  });
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

/** Of the files that are there before and after; those that are put back whole have theirs. */
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

/** The session's own commands are frozen; those that the next session would have are told. */
async function changedVerify(
  before: string | undefined,
  after: string | undefined,
): Promise<readonly Tampering[]> {
  if (before === after) return [];
  // Imported when settings have changed, which is rare: a parser is a lot to load at every start.
  const { loadConfig } = await import("../../settings/config/load-config.ts");
  const [one, other] = [loadConfig(before), loadConfig(after)];
  if (!one.ok || !other.ok) return [];
  return compareCommands(CONFIG, one.value.verify ?? [], other.value.verify ?? []);
}

const RUN_ALONE = ofAnyLanguage(({ testFiles }) => testFiles, [], "i");
/** What runners look for by themselves, whatever the session's settings name. */
const CONVENTION = ofAnyLanguage(
  ({ testFiles }) => testFiles,
  [/(?:^|\/)(?:tests?|specs?|__tests__)\//, /[._](?:test|spec)\.[^/]+$/],
  "i",
);

/** Whether a file holds tests alone, by its name; of a language whose files name one another it is never known. */
function isTestFile(path: string, isTest: (path: string) => boolean): boolean {
  return isTest(path) && !path.includes("\uFFFD") && RUN_ALONE.test(path);
}

/** Whether a path is one of a test file. */
export function testFileMatcher(testPaths: readonly string[]): (path: string) => boolean {
  const isTestPath = testPathMatcher(testPaths);
  return (path) => isTestPath(path) || CONVENTION.test(path);
}

/** Tests that stand beside the code are looked at, but such a file cannot be put back alone. */
function mayHoldTests(path: string): boolean {
  return standsBesideCode(path) || path === CONFIG || isSettings(path);
}
