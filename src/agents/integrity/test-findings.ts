import { abbreviate } from "../../base/oid.ts";
import { FINDING_TEXT_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Computed, Finding, Level } from "../../fs-protocol/records/finding.ts";
import { findingId } from "../../fs-protocol/findings/finding-id.ts";
import { isAskedFor } from "./asked-for.ts";
import type { Texts } from "./compare-tests.ts";
import { describeTampering } from "./describe-tampering.ts";
import { testTitles } from "./find-tests.ts";
import { hidesTest, type Tampering } from "./tampering.ts";
import type { TestCase } from "./test-case.ts";

/** The reviewer in whose name these findings are recorded, and who closes them. */
const REVIEWER = "tests";
const CATEGORY = "Tests";

/** The checked range, and the milestone whose tasks may ask for changes in it. */
export type FoundIn = Pick<Computed, "start" | "end" | "m">;

/**
 * Findings about tests that vanished or can no longer fail, although the plan does not ask for it; one per
 * file.
 */
export function hiddenFindings(
  tampering: readonly Tampering[],
  tasks: readonly string[],
  found: FoundIn,
): readonly Finding[] {
  const hidden = tampering.filter(
    (each) => hidesTest(each) && !isAskedFor(tasks, { file: each.file, titles: [each.what] }),
  );
  return [...groupedBy(hidden, ({ file }) => file)].map(([file, all]) => {
    const count = counted(all.length, "test");
    return testFinding({
      computed: computedOf("hidden", found),
      file,
      // A deleted test has no line.
      line: all.find(({ kind }) => kind !== "deleted")?.line,
      anchor: `hidden ${all.map(({ kind, what }) => `${kind} ${what}`).join(", ")}`,
      brief: `${count} of ${file} ${all.length === 1 ? "was" : "were"} deleted, skipped or emptied`,
      issue: `What happened since ${abbreviate(found.start)}, which the plan does not ask for:\n${describeTampering(all)}`,
      suggestion: `Put the tests back as they were. ${BY_COMPUTING}`,
    });
  });
}

/**
 * Findings about new tests that check nothing, one per file. Their level is warning: no protection was lost,
 * and the patterns may have missed a check.
 */
export function unassertedFindings(
  unasserted: readonly TestCase[],
  found: FoundIn,
): readonly Finding[] {
  return [...groupedBy(unasserted, ({ file }) => file)].map(([file, all]) => {
    const names = all.map(({ path }) => path.join(" > "));
    const few = names.slice(0, NAMES_MAX).map((name) => `- ${name}`);
    const verb = all.length === 1 ? "checks" : "check";
    return testFinding({
      computed: computedOf("unasserted", found),
      level: "warning",
      file,
      line: all[0]?.line,
      anchor: `unasserted ${names.join(", ")}`,
      brief: `${counted(all.length, "new test")} of ${file} ${verb} nothing`,
      issue: `No assertion was found in what was added since ${abbreviate(found.start)}: it passes whatever the code does.\n${few.join("\n")}`,
      suggestion: "Say in each of them what has to come of it, or take it out.",
    });
  });
}

/** Tests from before a range that fail on the tree after it. */
export interface OldFailures {
  /** Names of failing tests; empty if none are known. */
  readonly failing: readonly string[];
  readonly tail: string;
  /** The changed files, as they were before the range, and the paths of the test files among them. */
  readonly before: Texts;
  readonly old: readonly string[];
  /** Files whose test commands changed. */
  readonly commands: Texts;
  /** Harness files that were restored for the run; empty if the run used the new harness. */
  readonly harness: readonly string[];
  readonly tampering: readonly Tampering[];
}

/** Findings about old tests that fail on the new tree, although the plan does not ask for it; one per file. */
export function oldTestFindings(
  failures: OldFailures,
  tasks: readonly string[],
  found: FoundIn,
): readonly Finding[] {
  const { harness, commands, tail } = failures;
  const { start, end } = found;
  return unaskedFailures(failures, tasks).map(({ file, names }) =>
    testFinding({
      computed: computedOf(harness.length > 0 ? "harness" : "old", found),
      file,
      line: undefined,
      anchor: `old tests fail ${names.join(", ")}`,
      brief:
        file !== undefined && !failures.old.includes(file)
          ? briefBy(file, commands)
          : briefOf(file, names.length),
      issue: [
        `The tests, and what runs them, as they stood at ${abbreviate(start)} were run on the tree of ${abbreviate(end)}. The range changed them, and the plan does not ask for that.`,
        ...names.slice(0, NAMES_MAX).map((name) => `- ${name}`),
        tail.slice(-TAIL_CHARS_MAX),
      ].join("\n"),
      suggestion: `Keep the behaviour that the tests held, and put them back. ${BY_COMPUTING}`,
    }),
  );
}

/** Tests of one file that fail in their former version. */
export interface FailedTests {
  /** Undefined if it is unknown. */
  readonly file: string | undefined;
  /** Empty if none are known. */
  readonly names: readonly string[];
}

/** The old tests that fail, by file, without those whose failure `asked` asks for. */
export function unaskedFailures(
  failures: OldFailures,
  asked: readonly string[],
): readonly FailedTests[] {
  const { tampering, old, commands } = failures;
  return failedByFile(failures).filter(({ file, names, isByHarness }) => {
    const files = file === undefined ? [...old, ...commands.keys()] : [file];
    const isAsked = (each: string) =>
      isAskedFor(asked, { file: each, titles: [...names, ...commandsNow(tampering, each)] });
    return isByHarness || !files.some(isAsked);
  });
}

/** The old tests that fail, by file; `isByHarness` if their harness causes the failure, or may cause it. */
export function failedByFile({
  failing,
  before,
  harness,
  ...changed
}: Pick<
  OldFailures,
  "failing" | "before" | "harness" | "old" | "commands"
>): readonly (FailedTests & {
  readonly isByHarness: boolean;
})[] {
  const old = [...changed.old, ...changed.commands.keys()];
  const others = harness.filter((file) => !old.includes(file));
  // A failing test that no changed file contains fails because of its harness, and nobody asked for that.
  const byOthers = others.length === 1 ? others[0] : undefined;
  const failed = groupedBy(failing, (name) =>
    others.length === 0 ? fileOf(name, before, old) : (ownerOf(name, before, old) ?? byOthers),
  );
  if (failing.length === 0) failed.set(onlyOne(others.length === 0 ? old : others), []);
  return [...failed].map(([file, names]) => {
    const isByHarness = others.length > 0 && (file === undefined || others.includes(file));
    return { file, names, isByHarness };
  });
}

/** Tells the builder whom to ask if the finding contradicts the request. */
export const BY_COMPUTING =
  "wisp looks again by itself: if the request asks for it, change nothing and say where it does, for a person to dismiss this.";

export function computedOf(of: Computed["of"], { start, end, m }: FoundIn): Computed {
  return { of, start, end, m };
}

function briefBy(file: string, commands: Texts): string {
  return commands.has(file)
    ? `The test command of ${file} as before this range fails on its code`
    : `The tests, run by ${file} as before this range, fail on its code`;
}

function briefOf(file: string | undefined, count: number): string {
  const what = count === 0 ? "Tests" : counted(count, "test");
  const of = file === undefined ? "" : ` of ${file}`;
  return `${what}${of} as before this range ${count === 1 ? "fails" : "fail"} on its code`;
}

/** The new test commands of a file: a task that asks for them asks for their consequences, too. */
function commandsNow(tampering: readonly Tampering[], file: string): readonly string[] {
  return tampering.flatMap((each) =>
    each.kind === "command" && each.file === file && each.after !== undefined ? [each.after] : [],
  );
}

const NAMES_MAX = 20;
const TAIL_CHARS_MAX = 600;

/** The file that contains a test of that name; if none does, the only changed file. */
function fileOf(name: string, before: Texts, old: readonly string[]): string | undefined {
  return ownerOf(name, before, old) ?? onlyOne(old);
}

function ownerOf(name: string, before: Texts, old: readonly string[]): string | undefined {
  const owner = old.find((file) =>
    testTitles(file, before.get(file) ?? "").some((title) => name.includes(title)),
  );
  return owner ?? old.find((file) => name.includes(file));
}

function onlyOne(files: readonly string[]): string | undefined {
  return files.length === 1 ? files[0] : undefined;
}

export interface TestFindingParts extends Pick<
  Finding,
  "file" | "line" | "brief" | "issue" | "suggestion"
> {
  readonly computed: Computed;
  readonly level?: Level;
  readonly anchor: string;
}

/** A finding in the name of the reviewer `tests`; its id is computed from `anchor`, file and brief. */
export function testFinding({
  computed,
  level = "blocking",
  file,
  line,
  anchor,
  brief,
  issue,
  suggestion,
}: TestFindingParts): Finding {
  const short = cleanText(brief, { charsMax: BRIEF_CHARS_MAX, lines: "one" });
  const content = { kind: "finding", category: CATEGORY, file, anchor, brief: short } as const;
  return {
    id: findingId(content),
    level,
    reviewer: REVIEWER,
    category: CATEGORY,
    brief: short,
    file: file !== undefined && file.length <= FILE_CHARS_MAX ? file : undefined,
    line,
    issue: cleanText(issue, { charsMax: FINDING_TEXT_CHARS_MAX, lines: "many" }),
    suggestion,
    computed,
  };
}

const BRIEF_CHARS_MAX = 300;
const FILE_CHARS_MAX = 1_000;

function groupedBy<T, K>(all: readonly T[], keyOf: (each: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}
