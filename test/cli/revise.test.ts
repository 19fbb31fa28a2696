import { NobodyToAsk, NoRevisionPlan } from "../../src/actions/revise/revision-failures.ts";
import { expect, test } from "vitest";
import { approvedPlan, type Approval } from "../../src/actions/revise/approve-plan.ts";
import { explain } from "../../src/base/explain.ts";
import { collectProblems } from "../../src/actions/revise/collect-problems.ts";
import { paintRows } from "../../src/terminal/paint-rows.ts";
import { planRows } from "../../src/actions/revise/plan-rows.ts";
import { pendingWarning } from "../../src/actions/revise/revise-target.ts";
import type { PlanQuestion } from "../../src/actions/revise/revision-material.ts";
import { present } from "../../src/base/assert.ts";
import { fail, ok } from "../../src/base/result.ts";
import { readRevisionPlan, type RevisionPlan } from "../../src/session/rules/revision-plan.ts";
import { factsOf, json, oid } from "./session-states.ts";

const DESCRIBE = "Describe a problem (or press Enter to finish): ";
const CONFIRM = "Continue with these? (yes / or no, to start over): ";
const APPROVE = "Approve this plan? (yes / or give feedback): ";

function itemText(title: string): string {
  return `### RI-001: ${title}\n\n**Description:** Mend it.\n\n**Acceptance Criteria:**\n\n- [ ] It is ${title}\n`;
}

function planOf(title: string): RevisionPlan {
  const read = readRevisionPlan(itemText(title));
  return present(read.ok ? read.value : undefined, "it is a plan");
}

/** A person who gives these answers in order, then closes the terminal; everything shown is kept. */
function person(...answers: readonly string[]) {
  const left = [...answers];
  const seen: string[] = [];
  return {
    seen,
    ask: (question: string) => {
      seen.push(question);
      return Promise.resolve(left.shift());
    },
    say: (text: string) => void seen.push(text),
  };
}

test("US-001: the warning counts pending stories, not finished ones", () => {
  const milestones = json([
    { name: "A", tasks: ["a"] },
    { name: "B", tasks: ["b"] },
    { name: "C", tasks: ["c"] },
  ]);
  const adopted = `plan.adopt seq=0 plan=${"a".repeat(64)} request=0 milestones=${milestones}`;
  const built = `build.end unit=build:A:1 m=A outcome=milestone ticks=${json([{ m: "A", tasks: [1] }])} commits=${oid("1")} milestones=${json([{ name: "A", start: oid("0"), end: oid("1") }])}`;
  const three = factsOf({ builder: [adopted] });
  expect(pendingWarning(three.state)).toBe("Warning: 3 stories still pending");
  const two = factsOf({ builder: [adopted, built], commits: [oid("1")] });
  expect(pendingWarning(two.state)).toBe("Warning: 2 stories still pending");
});

test("US-002: collects problems one at a time until an empty line, and lists them", async () => {
  const { ask, say, seen } = person("It is slow", " It is ugly\u001b[2J ", "", "yes");
  expect(await collectProblems({ ask }, say)).toEqual(["It is slow", "It is ugly"]);
  expect(seen).toEqual([
    ...[DESCRIBE, DESCRIBE, DESCRIBE],
    "Problems:\n  1. It is slow\n  2. It is ugly",
    CONFIRM,
  ]);
});

test("US-002: requires at least one problem, and asks again", async () => {
  const { ask, say, seen } = person("", "  ", "It is slow", "", "");
  expect(await collectProblems({ ask }, say)).toEqual(["It is slow"]);
  expect(seen.slice(0, 4)).toEqual([
    DESCRIBE,
    "At least one problem is required",
    DESCRIBE,
    "At least one problem is required",
  ]);
});

test("US-002: starts over if the list is not confirmed, and creates nothing if the person leaves", async () => {
  const again = person("Wrong", "", "no", "Right", "", "y");
  expect(await collectProblems(again, again.say)).toEqual(["Right"]);
  // An answer that is neither yes nor no counts as no.
  const unsure = person("Right", "", "wait, also the footer", "yes");
  expect(await collectProblems(unsure, unsure.say)).toEqual(["Right"]);
  expect(unsure.seen.filter((line) => line === CONFIRM)).toHaveLength(2);
  const left = person("It is slow");
  expect(await collectProblems(left, left.say)).toBeUndefined();
});

/** Records each prompt to the planner; its plans are named after their round. */
function approval(answers: readonly string[], more: Partial<Approval> = {}) {
  const who = person(...answers);
  const asked: (PlanQuestion & { readonly round: number })[] = [];
  const shown: string[] = [];
  const whole: Approval = {
    problems: ["It is slow"],
    isApproved: false,
    ask: who.ask,
    say: who.say,
    show: (plan) => void shown.push(plan.items.map(({ title }) => title).join()),
    draft: (question, round) => {
      asked.push({ ...question, round });
      return Promise.resolve(ok({ kind: "plan", plan: planOf(`plan ${String(round)}`) }));
    },
    edit: () => Promise.resolve(undefined),
    explain: ({ kind }) => kind,
    ...more,
  };
  return { whole, asked, shown, seen: who.seen };
}

async function approvedTitle(whole: Approval): Promise<string | undefined> {
  const approved = await approvedPlan(whole);
  if (!approved.ok) return `failed: ${approved.failure.kind}`;
  return approved.value?.items[0]?.title;
}

test.each(["yes", "y", "approve", "YES", "Y", "Approve", " yes "])(
  "US-004: %j approves the plan that was shown",
  async (answer) => {
    const { whole, shown, seen } = approval([answer]);
    expect(await approvedTitle(whole)).toBe("plan 1");
    expect(shown).toEqual(["plan 1"]);
    expect(seen.at(-1)).toBe(APPROVE);
  },
);

test("US-004: any other answer is feedback; the next plan is made from the problems, the last plan and all feedback", async () => {
  const { whole, asked, shown } = approval(["yes, but faster", "", "no", "y"]);
  expect(await approvedTitle(whole)).toBe("plan 3");
  expect(shown).toEqual(["plan 1", "plan 2", "plan 3"]);
  const problems = ["It is slow"];
  expect(asked).toEqual([
    { problems, previous: undefined, feedback: [], round: 1 },
    { problems, previous: itemText("plan 1"), feedback: ["yes, but faster"], round: 2 },
    { problems, previous: itemText("plan 2"), feedback: ["yes, but faster", "no"], round: 3 },
  ]);
});

test("US-004: leaving or closing the terminal approves nothing", async () => {
  expect(await approvedTitle(approval([]).whole)).toBeUndefined();
  const interrupted = approval([], { draft: () => Promise.resolve(ok({ kind: "interrupted" })) });
  expect(await approvedTitle(interrupted.whole)).toBeUndefined();
});

test("US-004: --yes approves the first plan without asking", async () => {
  const { whole, shown, seen } = approval([], { isApproved: true });
  expect(await approvedTitle(whole)).toBe("plan 1");
  expect({ shown, seen }).toEqual({ shown: ["plan 1"], seen: [] });
});

test("a plan can be edited; an edit that is not a valid plan is edited again, and the last plan is kept", async () => {
  const texts = ["### RI-001: broken", itemText("by hand")];
  const given: string[] = [];
  const edit = (text: string) => {
    given.push(text);
    return Promise.resolve(texts.shift());
  };
  const { whole, shown, seen } = approval(["e", "E", "yes"], { edit });
  expect(await approvedTitle(whole)).toBe("by hand");
  expect(given).toEqual([itemText("plan 1"), "### RI-001: broken"]);
  expect(shown).toEqual(["plan 1", "by hand"]);
  expect(seen.join("\n")).toContain(
    "That is not a plan: line 1: the story RI-001 has no acceptance",
  );
});

test("keeps the last plan if a later one cannot be made, and creates nothing if the first cannot", async () => {
  const none = fail(NoRevisionPlan({ session: "a", reason: "r", problems: "p" }));
  const draft: Approval["draft"] = (_, round) =>
    Promise.resolve(round === 1 ? ok({ kind: "plan", plan: planOf("first") }) : none);
  expect(await approvedTitle(approval(["more", "y"], { draft }).whole)).toBe("first");
  const failed = approval(["y"], { draft: () => Promise.resolve(none) });
  expect(await approvedTitle(failed.whole)).toBe("failed: no-revision-plan");
});

test("asks the person the planner's question, and includes the answer in the next prompt", async () => {
  const questions: PlanQuestion[] = [];
  const draft: Approval["draft"] = (question) => {
    questions.push(question);
    if (questions.length > 1) return Promise.resolve(ok({ kind: "plan", plan: planOf("it") }));
    return Promise.resolve(ok({ kind: "question", question: "Which page?" }));
  };
  expect(await approvedTitle(approval(["The first", "y"], { draft }).whole)).toBe("it");
  expect(questions[1]?.feedback).toEqual(['To your question "Which page?": The first']);
});

test("US-004: shows a plan as formatted Markdown, without control characters", () => {
  const hostile = `${itemText("loud")}\n\u001b[2Jgone \u202e`;
  const plain = paintRows(planRows(hostile, false), false);
  expect(plain).toContain("### RI-001: loud");
  expect(plain).toMatch(/gone$/u);
  expect(plain).not.toMatch(/\u001b|\u202e/u);
  const shown = paintRows(planRows(hostile, true), true);
  expect(shown).toContain("\u001b[1mRI-001: loud\u001b[22m");
  expect(shown).toContain("\u001b[1mDescription:\u001b[22m Mend it.");
  expect(shown).toContain("☐ It is loud");
  expect(shown).not.toContain("\u001b[2J");
});

test("if nobody can be asked, prints a command that includes the given problems", () => {
  const failure = {
    session: "api",
    again: "--problem 'It is slow'",
  } as const;
  expect(explain(NobodyToAsk({ ...failure, missing: "approval" }))).toMatchObject({
    exitCode: 4,
    next: ["wisp revise api --problem 'It is slow' --yes"],
  });
  const asked = explain(NobodyToAsk({ ...failure, missing: "answer", question: "Which total?" }));
  expect(asked).toMatchObject({
    exitCode: 4,
    message: "The planner has a question, and there is nobody to answer: Which total?",
  });
  expect(asked.next.join()).toContain("--problem 'It is slow'");
});
