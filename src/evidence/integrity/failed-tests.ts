import { isAskedFor } from "./asked-for.ts";
import type { Texts } from "./compare-tests.ts";
import { testTitles } from "./find-tests.ts";
import type { Tampering } from "./tampering.ts";
import { fileOfIdentity, titlesOfIdentity, wordsForTest } from "../printed/test-identity.ts";

/** Tests from before a range that fail on the tree after it. */
export interface OldFailures {
  /** Names of failing tests; empty if none are known. */
  readonly failing: readonly string[];
  /** The changed files, as they were before the range, and the paths of the test files among them. */
  readonly before: Texts;
  readonly old: readonly string[];
  /** Files whose test commands changed. */
  readonly commands: Texts;
  /** Harness files that were restored for the run; empty if the run used the new harness. */
  readonly harness: readonly string[];
  /** Those of them that a text may ask to change as it may a test. */
  readonly data?: readonly string[];
  /** Files of the former harness that were not restored: they may be the product, of which anything may be asked. */
  readonly withheld?: readonly string[];
  readonly tampering: readonly Tampering[];
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
  const { tampering } = failures;
  return failedByFile(failures).filter(({ names, isByHarness, askedAs: files }) => {
    const isAsked = (each: string) =>
      isAskedFor(asked, {
        file: each,
        titles: [...names.flatMap(wordsForTest), ...commandsNow(tampering, each)],
      });
    return isByHarness || !files.some(isAsked);
  });
}

/** Failing tests, and what may excuse them. */
export interface FailedByFile extends FailedTests {
  /** Their harness causes the failure, or may cause it, and nothing excuses that. */
  readonly isByHarness: boolean;
  /** The files that a text may name to ask for it. */
  readonly askedAs: readonly string[];
}

/** The old tests that fail, by file. */
export function failedByFile({
  failing,
  before,
  harness,
  data = [],
  withheld = [],
  ...changed
}: Pick<
  OldFailures,
  "failing" | "before" | "harness" | "data" | "withheld" | "old" | "commands"
>): readonly FailedByFile[] {
  const old = [...changed.old, ...data, ...changed.commands.keys()];
  const others = harness.filter((file) => !old.includes(file));
  // A failing test that no changed file contains fails because of its harness, and nobody asked for that.
  const byOthers = others.length === 1 ? others[0] : undefined;
  const failed = groupedBy(failing, (name) =>
    others.length === 0 ? fileOf(name, before, old) : (ownerOf(name, before, old) ?? byOthers),
  );
  if (failing.length === 0) failed.set(onlyOne(others.length === 0 ? old : others), []);
  return [...failed].map(([file, names]) => {
    const isOfOthers = others.length > 0 && (file === undefined || others.includes(file));
    // With the product as it is now, checks of the project's own are tests like any other.
    const isByHarness = isOfOthers && withheld.length === 0;
    const own = file === undefined ? old : [file];
    return {
      file,
      names,
      isByHarness,
      askedAs: isOfOthers ? [...own, ...others, ...withheld] : own,
    };
  });
}

/** The new test commands of a file: a task that asks for them asks for their consequences, too. */
function commandsNow(tampering: readonly Tampering[], file: string): readonly string[] {
  return tampering.flatMap((each) =>
    each.kind === "command" && each.file === file && each.after !== undefined ? [each.after] : [],
  );
}

/** The file that contains a test of that name; if none does, the only changed file. */
function fileOf(name: string, before: Texts, old: readonly string[]): string | undefined {
  return ownerOf(name, before, old) ?? onlyOne(old);
}

function ownerOf(name: string, before: Texts, old: readonly string[]): string | undefined {
  const printed = fileOfIdentity(name);
  // A runner may have run in a folder of the repository.
  const own = old.filter((file) => file === printed || file.endsWith(`/${printed ?? ""}`));
  const titles = titlesOfIdentity(name);
  const owner = (own.length > 0 ? own : old).find((file) =>
    testTitles(file, before.get(file) ?? "").some((title) => titles.includes(title)),
  );
  return owner ?? own[0] ?? old.find((file) => name.includes(file));
}

function onlyOne(files: readonly string[]): string | undefined {
  return files.length === 1 ? files[0] : undefined;
}

/** Groups by a key, in the order of the first of each. */
export function groupedBy<T, K>(all: readonly T[], keyOf: (each: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}
