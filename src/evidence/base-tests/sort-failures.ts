import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { whatAsksFor } from "../integrity/asked-for.ts";
import type { ChangedTests } from "../integrity/changed-tests.ts";
import { testTitles } from "../integrity/find-tests.ts";
import type { FailedByFile, FailedTests } from "../integrity/failed-tests.ts";
import { titlesOfIdentity, wordsForTest } from "../printed/test-identity.ts";

/** Failing tests that are excused, and the text that excuses them. */
export interface ExcusedTests extends FailedTests {
  readonly why: string;
}

export interface SortedFailures {
  readonly blamed: readonly FailedTests[];
  /** Excused by the request. */
  readonly asked: readonly ExcusedTests[];
  /** Excused by a person's dismissal, each by name. */
  readonly dismissed: readonly ExcusedTests[];
}

export interface FailuresToSort {
  readonly passages: readonly string[];
  readonly changed: Pick<ChangedTests, "before">;
  readonly failed: readonly (FailedTests & Partial<FailedByFile>)[];
}

/**
 * Sorts failing base tests, one by one, into bugs, tests that the request excuses and tests that a person
 * dismissed.
 */
export function sortFailures(
  state: SessionState,
  { passages, changed, failed }: FailuresToSort,
): SortedFailures {
  const dismissals = dismissedTests(state);
  const sorted = new Map<string, { kind: keyof SortedFailures; test: ExcusedTests }>();
  for (const each of failed) {
    // A failure that names no test still counts as one.
    for (const name of each.names.length === 0 ? [undefined] : each.names) {
      const verdict = verdictOn({ ...each, name }, { passages, changed, dismissals });
      const key = JSON.stringify([verdict.kind, each.file, verdict.why]);
      const names = [...(sorted.get(key)?.test.names ?? []), ...(name === undefined ? [] : [name])];
      sorted.set(key, { kind: verdict.kind, test: { file: each.file, names, why: verdict.why } });
    }
  }
  const of = (kind: keyof SortedFailures) =>
    [...sorted.values()].filter((each) => each.kind === kind).map(({ test }) => test);
  return { blamed: of("blamed"), asked: of("asked"), dismissed: of("dismissed") };
}

interface OneTest extends Pick<FailedTests, "file"> {
  readonly name: string | undefined;
  readonly isByHarness?: boolean;
  readonly askedAs?: readonly string[];
}

interface Excuses extends Pick<FailuresToSort, "passages" | "changed"> {
  readonly dismissals: ReadonlyMap<string, string>;
}

function verdictOn(test: OneTest, { passages, changed, dismissals }: Excuses) {
  const dismissed = dismissals.get(testKey(test));
  if (dismissed !== undefined) return { kind: "dismissed", why: dismissed } as const;
  const files = test.isByHarness === true ? [] : (test.askedAs ?? [test.file]);
  const [asked] = files.flatMap((file) => askedBy(passages, changed, { ...test, file }) ?? []);
  if (asked !== undefined) return { kind: "asked", why: asked } as const;
  return { kind: "blamed", why: "" } as const;
}

/** The passage of the request that asks for a change at which the test's old version fails. */
export function askedBy(
  passages: readonly string[],
  { before }: Pick<ChangedTests, "before">,
  { file = "", name = "" }: OneTest,
): string | undefined {
  const said = titlesOfIdentity(name);
  const own = testTitles(file, before.get(file) ?? "").filter((title) => said.includes(title));
  const titles = own.length > 0 || name === "" ? own : wordsForTest(name);
  return whatAsksFor(passages, { file, titles });
}

/** The tests that a person allowed to fail, by key, each with the person's reason. */
function dismissedTests({ tester, human }: SessionState): ReadonlyMap<string, string> {
  const reasons = new Map(
    human.items.flatMap((item) => (item.kind === "dismiss" ? [[item.id, item.why] as const] : [])),
  );
  const tests = new Map<string, string>();
  for (const id of tester.dismissed) {
    const item = tester.items.get(id);
    if (item === undefined) continue;
    for (const test of testsOf(item)) tests.set(testKey(test), reasons.get(id) ?? "");
  }
  return tests;
}

/** The base tests that a bug is about; empty for other bugs. */
export function testsOf({
  computed,
  file,
}: Pick<Finding, "computed" | "file">): readonly OneTest[] {
  if (computed?.of !== "base-tests") return [];
  const { names = [] } = computed;
  return names.length === 0 ? [{ file, name: undefined }] : names.map((name) => ({ file, name }));
}

/** The key of a test: its file and name. */
export function testKey({ file, name }: OneTest): string {
  return JSON.stringify([file ?? "", name ?? ""]);
}
