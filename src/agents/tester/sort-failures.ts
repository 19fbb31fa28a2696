import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { whatAsksFor } from "../integrity/asked-for.ts";
import type { ChangedTests } from "../integrity/changed-tests.ts";
import { testTitles } from "../integrity/find-tests.ts";
import type { FailedTests } from "../integrity/test-findings.ts";

/** Failing tests that somebody answers for, and with which words. */
export interface ExcusedTests extends FailedTests {
  readonly why: string;
}

export interface SortedFailures {
  readonly blamed: readonly FailedTests[];
  /** By the request. */
  readonly asked: readonly ExcusedTests[];
  /** By a person, each by its name. */
  readonly dismissed: readonly ExcusedTests[];
}

export interface ToSort {
  readonly passages: readonly string[];
  readonly changed: Pick<ChangedTests, "before">;
  readonly failed: readonly (FailedTests & { readonly isByHarness?: boolean })[];
}

/** Tells failing tests of the session's base apart, one by one, by who answers for them. */
export function sortFailures(
  state: SessionState,
  { passages, changed, failed }: ToSort,
): SortedFailures {
  const dismissals = dismissedTests(state);
  const sorted = new Map<string, { kind: keyof SortedFailures; test: ExcusedTests }>();
  for (const each of failed) {
    // A failure that names no test is one all the same.
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
}

interface Answers extends Pick<ToSort, "passages" | "changed"> {
  readonly dismissals: ReadonlyMap<string, string>;
}

function verdictOn(test: OneTest, { passages, changed, dismissals }: Answers) {
  const dismissed = dismissals.get(testKey(test));
  if (dismissed !== undefined) return { kind: "dismissed", why: dismissed } as const;
  const asked = test.isByHarness === true ? undefined : askedBy(passages, changed, test);
  if (asked !== undefined) return { kind: "asked", why: asked } as const;
  return { kind: "blamed", why: "" } as const;
}

/** Which passage of the request asks for a test to fail as it was. */
export function askedBy(
  passages: readonly string[],
  { before }: Pick<ChangedTests, "before">,
  { file = "", name = "" }: OneTest,
): string | undefined {
  const own = testTitles(file, before.get(file) ?? "").filter((title) => name.includes(title));
  const titles = own.length > 0 ? own : [name].filter((text) => text !== "");
  return whatAsksFor(passages, { file, titles });
}

/** Tests of which a person has said that they may fail, with the reason. */
function dismissedTests({ tester, human }: SessionState): ReadonlyMap<string, string> {
  const said = new Map(
    human.items.flatMap((item) => (item.kind === "dismiss" ? [[item.id, item.why] as const] : [])),
  );
  const tests = new Map<string, string>();
  for (const id of tester.dismissed) {
    const item = tester.items.get(id);
    if (item === undefined) continue;
    for (const test of testsOf(item)) tests.set(testKey(test), said.get(id) ?? "");
  }
  return tests;
}

/** The tests of the session's base that a bug is about; none where it is about something else. */
export function testsOf({
  computed,
  file,
}: Pick<Finding, "computed" | "file">): readonly OneTest[] {
  if (computed?.of !== "base-tests") return [];
  const { names = [] } = computed;
  return names.length === 0 ? [{ file, name: undefined }] : names.map((name) => ({ file, name }));
}

/** Under which a test is known. */
export function testKey({ file, name }: OneTest): string {
  return JSON.stringify([file ?? "", name ?? ""]);
}
