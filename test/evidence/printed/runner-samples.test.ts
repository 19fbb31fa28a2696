import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanText } from "../../../src/base/words/clean-text.ts";
import { failuresIn, totalsOf } from "../../../src/evidence/printed/all-printed.ts";
import { failingTests } from "../../../src/evidence/verify/failing-tests.ts";
import { RUNNER_SAMPLES } from "./runner-samples.ts";

const FOLDER = new URL("../../fixtures/runners/", import.meta.url);
/** The folder of the trees in which the samples were made. */
const TREES = "/srv/state/app-1/first/verify";

function sample(name: string): string {
  const text = readFileSync(new URL(`${name}.txt`, FOLDER), "utf8");
  return cleanText(text, { charsMax: 1_000_000, lines: "many" });
}

const CASES = RUNNER_SAMPLES.flatMap(({ files, ...said }) =>
  files.map((file) => [file, said] as const),
);

test.each(CASES)(
  "%s: exactly the failing tests, with their files and titles, how often each failed, and the totals",
  (file, { failing, totals }) => {
    const read = failingTests({ output: sample(file), isCut: false, trees: TREES });
    const all = (read.failing ?? []).map((name, at) => {
      const times = read.tally?.times?.[at] ?? 1;
      return times === 1 ? name : [name, times];
    });
    expect(all).toEqual(failing);
    const { passed, failed, skipped } = read.tally ?? {};
    expect([passed, failed, skipped].map((count) => count ?? "-").join(" ")).toBe(totals);
  },
);

test("every sample is in the table", () => {
  const names = readdirSync(FOLDER).map((name) => name.replace(/\.txt$/, ""));
  expect(CASES.map(([file]) => file).sort()).toEqual(names.sort());
});

test("two outputs one after the other say what both say", () => {
  for (const [file, { failing }] of CASES) {
    const other = "Ran 1 test in 0.001s\n\nOK";
    const both = failuresIn(`${sample(file)}\n\n${other}`.replaceAll(`${TREES}/1/tree/`, ""));
    expect([file, ...[...both.keys()].sort()]).toEqual([
      file,
      ...failing.map((each) => [each].flat()[0]),
    ]);
  }
});

test("reading never throws, whatever the output, and takes no more than its length allows", () => {
  fc.assert(fc.property(fc.string(), (output) => void failuresIn(output)));
  const parts = CASES.flatMap(([file]) => sample(file).split("\n"));
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 200 }), (lines) => {
      failuresIn(lines.join("\n"));
      totalsOf(lines.join("\n"));
    }),
    { numRuns: 200 },
  );
});
