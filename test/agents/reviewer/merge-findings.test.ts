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
const GROUND = { clone, at: sha(1), known: new Map() };
const NOTHING = { name: "tests", findings: [] };

function heard(
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

test("who found nothing has passed; who found something is named with its ids", async () => {
  const { results, findings } = await mergeFindings(
    [heard("correctness", "blocking"), heard("docs", "suggestion", "Docs")],
    NOTHING,
    GROUND,
  );
  const [id = ""] = findings.map((each) => each.id);
  expect(results).toEqual([
    { name: "correctness", level: "blocking", verdict: "passed" },
    { name: "docs", level: "suggestion", verdict: "needs_work", ids: [id] },
  ]);
});

test("what two reviewers say of one thing is one finding of the heavier, and stands with both", async () => {
  const { results, findings } = await mergeFindings(
    [heard("security", "blocking", "Input"), heard("simplicity", "warning", "Input")],
    NOTHING,
    GROUND,
  );
  expect(findings.map(({ reviewer, level }) => [reviewer, level])).toEqual([
    ["security", "blocking"],
  ]);
  expect(results.map(({ ids }) => ids)).toEqual([[findings[0]?.id], [findings[0]?.id]]);
});

test("what wisp itself found is a finding of the reviewer of tests, asked or not, passed or not", async () => {
  const certain = { name: "tests", findings: [finding("TES-000001", { reviewer: "tests" })] };
  const asked = await mergeFindings([heard("tests", "blocking")], certain, GROUND);
  const unasked = await mergeFindings([heard("docs", "suggestion")], certain, GROUND);
  const look = { name: "tests", level: "blocking", verdict: "needs_work", ids: ["TES-000001"] };
  expect(asked.results).toEqual([look]);
  expect(unasked.results[0]).toEqual(look);
  expect(unasked.findings).toEqual(certain.findings);
});

test("findings beyond the bound of a record are counted, the lightest first", async () => {
  const many = Array.from({ length: 300 }, (_, index) =>
    finding(`TES-${String(index).padStart(6, "0")}`, { reviewer: "tests" }),
  );
  const { findings, omitted } = await mergeFindings([], { name: "tests", findings: many }, GROUND);
  expect(findings).toHaveLength(200);
  expect(omitted).toBe(100);
});
