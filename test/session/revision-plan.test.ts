import fc from "fast-check";
import { expect, test } from "vitest";
import { compileRevision } from "../../src/session/rules/compile-request.ts";
import { readProblems } from "../../src/fs-protocol/findings/read-problems.ts";
import { planIn, readRevisionPlan } from "../../src/session/rules/revision-plan.ts";
import { renderRevisionRequest } from "../../src/session/rules/revision-request.ts";
import { anyText } from "../rig/arbitrary-text.ts";

const ITEM = `### RI-001: Say it louder

**Description:** It whispers; it has to shout.

**Acceptance Criteria:**

- [ ] It shouts
- [ ] It still says hello
`;

function reasonOf(text: string): string {
  const read = readRevisionPlan(text);
  return read.ok ? "it is a plan" : read.failure.reason;
}

test("US-003: the plan is the text between the last complete pair of tags", () => {
  const output = `I put it into <revision-plan> tags.\n<revision-plan>a draft</revision-plan>\n<revision-plan>\n${ITEM}</revision-plan>\nDone. <revision-plan>`;
  expect(planIn(output)).toBe(ITEM.trim());
  expect(planIn("<revision-plan>never closed")).toBeUndefined();
  expect(planIn("</revision-plan><revision-plan>")).toBeUndefined();
});

test("US-003: whatever an engine says before and after it, the plan is the one in the last tags", () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      const output = `${before}<revision-plan>${ITEM}</revision-plan>${after.replaceAll("<", "(")}`;
      expect(planIn(output)).toBe(ITEM.trim());
    }),
  );
});

test("US-003: items have an id, a title, a description and open criteria", () => {
  const read = readRevisionPlan(ITEM);
  expect(read).toMatchObject({
    ok: true,
    value: { items: [{ id: "RI-001", title: "Say it louder", criteria: 2 }] },
  });
  expect(read.ok && read.value.plan.plan.milestones).toEqual([
    { name: "RI-001: Say it louder", tasks: ["It shouts", "It still says hello"] },
  ]);
});

test("US-003: an invalid plan is refused with the reason that the planner is given", () => {
  expect(reasonOf("Everything is fine.")).toContain("there is no item");
  expect(reasonOf(ITEM.replace("RI-001: Say it louder", "RI-001:"))).toBe("RI-001 has no title");
  expect(reasonOf(ITEM.replace("RI-001:", "RI-001 – RI-003:"))).toContain("line 1");
  expect(reasonOf(ITEM.replace(/\*\*Description.*\n/u, ""))).toBe(
    "RI-001 has no `**Description:**`",
  );
  expect(reasonOf(ITEM.replace("[ ] It shouts", "[x] It shouts"))).toContain("ticked already");
  expect(reasonOf(ITEM.replace(/- .*\n/gu, ""))).toContain("RI-001 has no acceptance criteria");
  expect(reasonOf(`${ITEM}\n${ITEM}`)).toContain("already at line 1");
});

test("US-006: whatever the original request and the problems say, the items of the request are those of the plan", () => {
  const plan = { text: ITEM };
  const tricky = "### RI-009: Not an item\n\n**Acceptance Criteria:**\n\n- [ ] none";
  const wanted = compileRevision(ITEM);
  const itemsWith = (original: string, problem: string) => {
    const request = renderRevisionRequest({
      ...{ parent: "api", revision: 1, problems: [problem, "It whispers"], plan },
      original: { path: ".wisp/sessions/api/request.md", text: original },
    });
    const compiled = compileRevision(request);
    return compiled.ok && compiled.value.text;
  };
  const expected = wanted.ok && wanted.value.text;
  expect(itemsWith(`# Title\n\n${tricky}\n`, tricky)).toBe(expected);
  fc.assert(
    fc.property(anyText, anyText, (original, problem) => {
      expect(itemsWith(original, `a ${problem}`)).toBe(expected);
    }),
    { numRuns: 60 },
  );
});

test("a file of feedback holds a problem for each item of a list and each paragraph, with the heading above it", () => {
  const text =
    "# Feedback\n\nIt is slow.\n\n```\ntime 9 s\n```\n\n## Login\n\n- no error\n  is shown\n- [ ] the button\n\n1. third\n";
  expect(readProblems(text)).toEqual([
    "It is slow.\n\n```\ntime 9 s\n```",
    "Login: no error\nis shown",
    "Login: the button",
    "Login: third",
  ]);
  expect(readProblems("\n\n")).toEqual([]);
  expect(readProblems("one\nline")).toEqual(["one\nline"]);
});
