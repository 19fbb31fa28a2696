import { expect, test } from "vitest";
import { leavesLinesUnchanged } from "../../src/agents/judge/unchanged-lines.ts";
import { ok } from "../../src/base/result.ts";
import { findingId } from "../../src/fs-protocol/findings/finding-id.ts";
import { finding, sha } from "../rig/records.ts";
import { fakeClone } from "./fake-clone.ts";

const LINES = Array.from({ length: 40 }, (_, index) => `line ${String(index + 1)}`);

const ITEM = finding(
  findingId({
    kind: "finding",
    category: "Correctness",
    file: "a.js",
    anchor: "line 20",
    brief: "It is wrong",
  }),
  { file: "a.js", line: 20 },
);

/** Whether a fix that results in this file leaves the lines unchanged. */
function leaves(after: readonly string[] | undefined, item = ITEM): Promise<boolean> {
  const clone = fakeClone("/clone", {
    show: async (at) => ok((at === sha(1) ? LINES : after)?.join("\n")),
  });
  return leavesLinesUnchanged(clone, item, { before: sha(1), after: sha(2) });
}

const changed = (line: number) =>
  LINES.map((text, index) => (index === line - 1 ? `${text} changed` : text));

test("a fix without a change leaves the lines unchanged", async () => {
  const range = { before: sha(1), after: sha(1) };
  expect(await leavesLinesUnchanged(fakeClone("/clone"), ITEM, range)).toBe(true);
});

test("a fix elsewhere, in another file or far from the line, leaves the lines unchanged", async () => {
  expect(await leaves(LINES)).toBe(true);
  expect(await leaves(changed(40))).toBe(true);
  expect(await leaves(["a new first line", ...LINES])).toBe(true);
});

test("a fix at the line, or close to it, changes them", async () => {
  expect(await leaves(changed(20))).toBe(false);
  expect(await leaves(changed(17))).toBe(false);
  expect(await leaves(undefined)).toBe(false);
});

test("without a known line, only an untouched file counts as unchanged", async () => {
  const nowhere = { ...ITEM, id: "COR-000001" };
  expect(await leaves(LINES, nowhere)).toBe(true);
  expect(await leaves(changed(40), nowhere)).toBe(false);
  expect(await leaves(LINES, { ...ITEM, file: undefined })).toBe(false);
});
