import { expect, test } from "vitest";
import {
  mergeFindings,
  type ReviewerFindings,
} from "../../../src/agents/reviewer/merge-findings.ts";
import { present } from "../../../src/base/assert.ts";
import { ok } from "../../../src/base/result.ts";
import { decodeFindingsBlocks } from "../../../src/fs-protocol/findings/findings-block.ts";
import { finding, sha } from "../../rig/records.ts";
import { fakeClone } from "../fake-clone.ts";
import { found } from "../turns.ts";

const clone = fakeClone("/clone", { show: async () => ok("one\ntwo\nthree\n") });
const TREE = { clone, at: sha(1), known: new Map() };
const NOTHING = { name: "tests", findings: [] };

function reviewOf(
  name: string,
  level: ReviewerFindings["level"],
  category?: string,
): ReviewerFindings {
  if (category === undefined) return { name, level, blocks: [] };
  const turn = found(category, "a.js:2");
  const text = turn.kind === "ended" ? turn.text : "";
  const blocks = decodeFindingsBlocks(text);
  return { name, level, blocks: present(blocks.ok ? blocks.value : undefined, "it is readable") };
}

test("a reviewer without findings has passed; one with findings is listed with their ids", async () => {
  const { results, findings } = await mergeFindings(
    [reviewOf("correctness", "blocking"), reviewOf("docs", "suggestion", "Docs")],
    NOTHING,
    TREE,
  );
  const [id = ""] = findings.map((each) => each.id);
  expect(results).toEqual([
    { name: "correctness", level: "blocking", verdict: "passed" },
    { name: "docs", level: "suggestion", verdict: "needs_work", ids: [id] },
  ]);
});

test("the same finding of two reviewers is one finding with the higher level, listed for both", async () => {
  const { results, findings } = await mergeFindings(
    [reviewOf("security", "blocking", "Input"), reviewOf("simplicity", "warning", "Input")],
    NOTHING,
    TREE,
  );
  expect(findings.map(({ reviewer, level }) => [reviewer, level])).toEqual([
    ["security", "blocking"],
  ]);
  expect(results.map(({ ids }) => ids)).toEqual([[findings[0]?.id], [findings[0]?.id]]);
});

test("wisp's own findings belong to the reviewer of tests, whether it was asked or not, and passed or not", async () => {
  const computed = { name: "tests", findings: [finding("TES-000001", { reviewer: "tests" })] };
  const asked = await mergeFindings([reviewOf("tests", "blocking")], computed, TREE);
  const unasked = await mergeFindings([reviewOf("docs", "suggestion")], computed, TREE);
  const result = { name: "tests", level: "blocking", verdict: "needs_work", ids: ["TES-000001"] };
  expect(asked.results).toEqual([result]);
  expect(unasked.results[0]).toEqual(result);
  expect(unasked.findings).toEqual(computed.findings);
});

test("findings beyond the limit of a record are dropped, lowest level first, and counted", async () => {
  const many = Array.from({ length: 300 }, (_, index) =>
    finding(`TES-${String(index).padStart(6, "0")}`, { reviewer: "tests" }),
  );
  const { findings, omitted } = await mergeFindings([], { name: "tests", findings: many }, TREE);
  expect(findings).toHaveLength(200);
  expect(omitted).toBe(100);
});
