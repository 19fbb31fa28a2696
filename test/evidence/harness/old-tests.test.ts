import { expect, test } from "vitest";
import {
  harnessFiles,
  oldTestsOf,
  partialWays,
  type RunBy,
} from "../../../src/evidence/harness/old-tests.ts";
import type { HarnessChange } from "../../../src/evidence/harness/harness-change.ts";
import { sha } from "../../rig/records.ts";

/** What a range changed: a test, and of what ran it what is given. */
function changed(harness: Partial<HarnessChange>, old: readonly string[] = ["test/a.test.js"]) {
  const none = { overlaid: [], doubtful: [], data: [], removed: [], uncompared: [] };
  const manifests = { restored: new Map(), mapped: new Map(), called: new Map() };
  return {
    ...{ old, commands: new Map<string, string>(), newTestFiles: ["test/b.test.js"] },
    harness: { ...none, ...manifests, ...harness },
  };
}

const DOUBTFUL = { overlaid: ["check.sh", "lib/sum.js"], doubtful: ["lib/sum.js"] };
const READ = { overlaid: ["data/cases.json", "expected/a.txt"] };
const DATA = { ...READ, data: READ.overlaid };
const MANIFEST = { restored: new Map([["package.json", "{ old }"]]) };

test.each<readonly [string, Partial<HarnessChange>, readonly RunBy[]]>([
  ["nothing of it may be the product", { overlaid: ["check.sh"] }, []],
  ["verify leads to what may be the product", DOUBTFUL, ["old-checks"]],
  ["tests read data that is not shown to be theirs", DATA, ["old-checks-alone"]],
  ["tests read data whose paths say that it is theirs", { ...DATA, data: ["expected/a.txt"] }, []],
  [
    "names of modules led elsewhere",
    { ...MANIFEST, mapped: new Map([["package.json", undefined]]) },
    ["old-checks-alone"],
  ],
  [
    "several of that are so",
    { ...DOUBTFUL, overlaid: [...DOUBTFUL.overlaid, ...READ.overlaid], data: READ.overlaid },
    ["old-checks", "old-checks-alone"],
  ],
])("old tests run in part, too, where %s", (_, harness, ways) => {
  expect(partialWays(changed(harness))).toEqual(ways);
});

test("a run in part that would restore nothing is left out", () => {
  expect(partialWays(changed({ overlaid: ["lib/sum.js"], doubtful: ["lib/sum.js"] }, []))).toEqual(
    [],
  );
});

test("each run restores what it does not leave out, and the tests", () => {
  const all = changed({
    overlaid: [...DOUBTFUL.overlaid, ...READ.overlaid],
    doubtful: DOUBTFUL.doubtful,
    data: READ.overlaid,
    restored: new Map([["package.json", "{ old tests and exports }"]]),
    mapped: new Map([["package.json", "{ old tests }"]]),
  });
  const restored = (by: RunBy) => {
    const { paths, commands, removed } = oldTestsOf(all, sha(1), by);
    return [paths, [...commands.values()], removed, harnessFiles(all, by)];
  };
  const [one, two] = ["test/a.test.js", "package.json"];
  expect(restored("old-harness")).toEqual([
    [one, "check.sh", "lib/sum.js", "data/cases.json", "expected/a.txt"],
    ["{ old tests and exports }"],
    ["test/b.test.js"],
    ["check.sh", "data/cases.json", "expected/a.txt", "lib/sum.js", two],
  ]);
  expect(restored("old-checks")).toEqual([
    [one, "check.sh", "data/cases.json", "expected/a.txt"],
    ["{ old tests and exports }"],
    ["test/b.test.js"],
    ["check.sh", "data/cases.json", "expected/a.txt", two],
  ]);
  expect(restored("old-checks-alone")).toEqual([
    [one, "check.sh", "expected/a.txt"],
    ["{ old tests }"],
    ["test/b.test.js"],
    ["check.sh", "expected/a.txt", two],
  ]);
  expect(restored("new-harness")).toEqual([[one], [], ["test/b.test.js"], []]);
});
