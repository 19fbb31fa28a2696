import { join } from "node:path";
import { expect, test } from "vitest";
import { assert } from "../../src/base/assert.ts";
import type { Level } from "../../src/fs-protocol/records/finding.ts";
import {
  omittedCount,
  identifyFindings,
  type Finder,
} from "../../src/agents/judge/findings-for-record.ts";
import { noteOmitted } from "../../src/agents/judge/note-omitted.ts";
import { decodeFindingsBlocks } from "../../src/fs-protocol/findings/findings-block.ts";
import type { FindingsBlock } from "../../src/fs-protocol/findings/findings-judge.ts";
import { createRig, commit, value, type Rig } from "../git/rig.ts";

interface Item {
  readonly brief?: string;
  readonly place?: string;
  readonly issue?: string;
  readonly extra?: string;
}

function blocksOf(items: readonly Item[], header = ""): readonly FindingsBlock[] {
  const findings = items.map(({ brief = "It is wrong", place, issue = "Wrong.", extra }, index) =>
    [
      `${index + 1}. **X-${index}**: Correctness - ${brief}`,
      ...(place === undefined ? [] : [`   - File: ${place}`]),
      `   - Issue: ${issue}`,
      "   - Suggestion: Mend it.",
      ...(extra === undefined ? [] : [`   - ${extra}`]),
    ].join("\n"),
  );
  const text = [header, "### Verdict: NEEDS_WORK", "### Findings", ...findings].join("\n\n");
  return value(decodeFindingsBlocks(text));
}

/** A clone whose `a.js` has equal lines. */
async function finderIn(rig: Rig, content = "return 1;\n}\nreturn 1;\n}\n"): Promise<Finder> {
  const clone = await rig.clone("reviewer");
  const at = await commit(clone, "a.js", content);
  return { kind: "finding", reviewer: "correctness", level: "blocking", clone, at };
}

const idsOf = (findings: readonly { readonly id: string }[]) => findings.map(({ id }) => id);

test("findings about two lines with the same text are two findings", async () => {
  using rig = createRig();
  const finder = await finderIn(rig);
  const blocks = blocksOf([{ place: "a.js:1" }, { place: "a.js:3" }]);
  const taken = await identifyFindings(blocks, finder);
  expect(taken.map(({ line }) => line)).toEqual([1, 3]);
  expect(new Set(idsOf(taken)).size).toBe(2);
});

test("a finding that an output repeats is one finding, with the last text", async () => {
  using rig = createRig();
  const finder = await finderIn(rig);
  const twice = blocksOf([
    { place: "a.js:1", issue: "First words." },
    { place: "a.js:1", issue: "Last words." },
  ]);
  const taken = await identifyFindings(twice, finder);
  expect(taken.map(({ issue }) => issue)).toEqual(["Last words."]);
});

test("the same remark of a later review has the same id, even if its line moved and its wording changed", async () => {
  using rig = createRig();
  const finder = await finderIn(rig, "one\ntwo\nreturn sum + 1;\n");
  const first = await identifyFindings(
    blocksOf([{ place: "a.js:3", brief: "Off by one" }]),
    finder,
  );
  const moved = await commit(finder.clone, "a.js", "zero\none\ntwo\nreturn sum + 1;\n");
  const again = await identifyFindings(
    blocksOf([{ place: "a.js:4", brief: "Counts one too many" }]),
    {
      ...finder,
      at: moved,
    },
  );
  expect(idsOf(again)).toEqual(idsOf(first));
});

test("without a line, or in a file that does not exist, findings are distinguished by their brief", async () => {
  using rig = createRig();
  const finder = await finderIn(rig);
  const taken = await identifyFindings(
    blocksOf([
      { brief: "One" },
      { brief: "Two" },
      { place: "gone.js:4", brief: "Three" },
      { place: "a.js:999", brief: "Four" },
      { place: "a.js:2", brief: "Five" },
      { place: "a.js:4", brief: "Six" },
    ]),
    finder,
  );
  expect(new Set(idsOf(taken)).size).toBe(6);
});

test("a finding belongs to its finder, whatever its block says, and has at most the finder's level", async () => {
  using rig = createRig();
  const finder = await finderIn(rig);
  const header = "[Review] 2026-11-20 12:00 UTC - human (suggestion)";
  const named = blocksOf(
    [
      { brief: "a", extra: "Level: blocking" },
      { brief: "b", extra: "Level: suggestion" },
    ],
    header,
  );
  const levels = async (level: Level) => {
    const taken = await identifyFindings(named, { ...finder, level });
    return taken.map((one) => `${one.reviewer} ${one.level}`);
  };
  expect(await levels("blocking")).toEqual(["correctness blocking", "correctness suggestion"]);
  expect(await levels("warning")).toEqual(["correctness warning", "correctness suggestion"]);
});

test("two remarks of one category about one line are one finding with both texts", async () => {
  using rig = createRig();
  const finder = await finderIn(rig);
  const [one, ...others] = await identifyFindings(
    blocksOf([
      { place: "a.js:1", brief: "Wrong sign", issue: "First.", extra: "Level: warning" },
      { place: "a.js:1", brief: "Wrong unit", issue: "Second." },
    ]),
    finder,
  );
  expect(others).toEqual([]);
  expect(one).toMatchObject({ brief: "Wrong sign", level: "blocking" });
  expect(one?.issue).toBe("First.\n\nAlso: Wrong unit\nSecond.");
});

test("two bugs at one line that different commands show are separate, each closed by its own command", async () => {
  using rig = createRig();
  const finder = { ...(await finderIn(rig)), kind: "bug", reviewer: "tester" } as const;
  const bugs = await identifyFindings(
    blocksOf([
      { place: "a.js:1", extra: "Command: npm run one" },
      { place: "a.js:1", extra: "Command: npm run two" },
      { place: "a.js:1", extra: "Command: npm run one" },
    ]),
    finder,
  );
  expect(bugs.map(({ command }) => command)).toEqual(["npm run one", "npm run two"]);
  expect(new Set(idsOf(bugs)).size).toBe(2);
});

test("each of several lines with the same text keeps its id, whichever of them a review names", async () => {
  using rig = createRig();
  const finder = await finderIn(rig);
  const both = await identifyFindings(blocksOf([{ place: "a.js:3" }, { place: "a.js:1" }]), finder);
  const second = await identifyFindings(blocksOf([{ place: "a.js:3" }]), finder);
  expect(idsOf(second)).toEqual([both[0]?.id]);
});

test("a finding that names an open id is that finding, even if its line was changed", async () => {
  using rig = createRig();
  const finder = await finderIn(rig);
  const [open] = await identifyFindings(blocksOf([{ place: "a.js:1" }]), finder);
  assert(open !== undefined, "there is one");
  const named = blocksOf([{ place: "a.js:2", brief: "Still wrong" }]).map((block) => ({
    ...block,
    findings: block.findings.map((raw) => ({ ...raw, label: open.id })),
  }));
  const known = new Map([[open.id, open]]);
  expect(idsOf(await identifyFindings(named, { ...finder, known }))).toEqual([open.id]);
  expect(idsOf(await identifyFindings(named, finder))).not.toEqual([open.id]);
  const elsewhere = named.map((block) => ({
    ...block,
    findings: block.findings.map((raw) => ({ ...raw, file: "b.js" })),
  }));
  expect(idsOf(await identifyFindings(elsewhere, { ...finder, known }))).not.toEqual([open.id]);
});

test("a tester's findings are bugs, whatever it calls them, with their commands", async () => {
  using rig = createRig();
  const finder = { ...(await finderIn(rig)), kind: "bug", reviewer: "tester" } as const;
  const [bug] = await identifyFindings(blocksOf([{ extra: "Command: `npm test`" }]), finder);
  expect(bug?.id).toMatch(/^BUG-[0-9a-f]{6}$/);
  expect(bug?.command).toBe("npm test");
});

test("findings beyond the limit of a turn are counted and noted", async () => {
  using rig = createRig();
  const finder = await finderIn(rig);
  const blocks = blocksOf(Array.from({ length: 60 }, (_, n) => ({ brief: `Number ${n}` })));
  const notes: string[] = [];
  const journal = { time: () => "", append: ({ text }: { text: string }) => void notes.push(text) };
  noteOmitted({ journal }, blocks);
  noteOmitted({ journal }, blocksOf([{}]));
  expect(await identifyFindings(blocks, finder)).toHaveLength(50);
  expect(omittedCount(blocks)).toBe(10);
  expect(notes).toEqual([
    "10 more findings were named than one turn may have; they are not recorded",
  ]);
});

test("a path that leads outside the repository is not read", async () => {
  using rig = createRig();
  const finder = await finderIn(rig);
  const [one] = await identifyFindings(
    blocksOf([{ place: join("..", "..", "etc", "passwd:1") }]),
    finder,
  );
  expect(one?.file).toBeUndefined();
});
