import { expect, test } from "vitest";
import { plainText } from "../../src/views/rows/row.ts";
import { listedSession, sessionRows } from "../../src/views/next/session-rows.ts";
import { statusRows } from "../../src/views/status/status-rows.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import { factsOf, json, oid, type Story } from "../cli/session-states.ts";

const SHA = "a".repeat(64);
const ONE = { name: "One", tasks: ["Say hello"] };
const TWO = { name: "Two", tasks: ["Say thanks", "Say bye"] };
const planner = [
  `plan.end unit=plan:b0:r0 seq=0 boundary=0 request=0 outcome=plan plan=${SHA} milestones=${json([ONE])}`,
];
const built = [
  `plan.adopt seq=0 plan=${SHA} request=0 milestones=${json([ONE])}`,
  `build.end unit=build:One:1 m=One outcome=milestone ticks=${json([{ m: "One", tasks: [1] }])} commits=${oid("1")} milestones=${json([{ name: "One", start: oid("0"), end: oid("1") }])}`,
];
const ended = (how: "complete" | "stuck", reason: string) =>
  `done how=${how} head=${oid("1")} open=- gaveup=- failed="[]" human=0 reason=${json(reason).slice(1, -1).replaceAll('\\"', '"')}`;
const complete: Story = {
  planner,
  builder: [...built, `final.open n=1 at=${oid("1")}`, ended("complete", "nothing is open")],
  commits: [oid("1")],
  supervisor: [`supervisor.end code=0 reason="the session is complete"`],
};
const edit = `edit plan=${"b".repeat(64)} base=${SHA} request=0 milestones=${json([ONE, TWO])} ticks=${json([{ m: "One", tasks: [1] }])} cleared="[]"`;
const adopted: Story = { ...complete, human: [edit] };

function textOf(story: Story, alive: Parameters<typeof factsOf>[1] = []): string {
  return plainText(statusRows(statusView(factsOf(story, alive))));
}

test("after complete work's plan was edited, shows the new tasks as waiting and names the command that builds them", () => {
  const view = statusView(factsOf(adopted, []));
  expect(view).toMatchObject({ state: "STOPPED", stage: "reopened", end: undefined });
  expect(view.waiting).toEqual(["2 new tasks in 1 milestone of TASKS.md"]);
  expect(view.next).toEqual(["wisp up api"]);
  expect(view.milestones.map(({ name, tasksDone, tasks }) => [name, tasksDone, tasks])).toEqual([
    ["One", 1, 1],
    ["Two", 0, 2],
  ]);
  const text = textOf(adopted);
  expect(text).toMatch(/^api {2}STOPPED \(reopened\) {2}1\/2 milestones, 1\/3 tasks$/mu);
  expect(text).toContain(
    "not started yet: 2 new tasks in 1 milestone of TASKS.md; to continue: wisp up api",
  );
  expect(text).toMatch(/planner +is waiting for the builder to adopt your edit of TASKS\.md/u);
  // The words of the end are not shown for what came after it.
  expect(text).not.toContain("nothing is open");
  expect(text).not.toContain("the session is complete");
  expect(listedSession(factsOf(adopted, []))).toMatchObject({
    says: "STOPPED (reopened)",
    tasks: { done: 1, of: 3 },
  });
});

test("shows a running session as resuming, and names resume for a paused one", () => {
  const running = textOf(adopted, ["supervisor"]);
  expect(running).toMatch(/^api {2}RUNNING \(resuming\)/u);
  expect(running).toMatch(/^not started yet: 2 new tasks in 1 milestone of TASKS\.md$/mu);
  const paused = { ...adopted, human: [edit, "pause"] };
  expect(textOf(paused)).toContain("to continue: wisp resume api");
});

test("after a dismissal, shows nothing to build and no longer repeats what the end left to people", () => {
  const stuck: Story = {
    ...complete,
    builder: [
      ...built,
      `halt reason=spent explanation="Left to you: COR-1"`,
      ended("stuck", "Left to you, after fixes that did not close what was found: COR-1"),
    ],
  };
  const dismissed = { ...stuck, human: ["dismiss id=COR-1 why=fine"] };
  const text = textOf(dismissed, ["supervisor"]);
  expect(text).toMatch(/^api {2}RUNNING \(resuming\)/u);
  expect(text).not.toContain("Left to you");
  expect(text).toContain("not started yet: 1 dismissal of yours");
  expect(textOf(stuck)).toContain("Left to you");
});

test.each([
  ["update v=2 sha256=x as=prose", "the changed request"],
  ["resume", "your resume"],
])("after %s, says what waits", (word, what) => {
  const human = word === "resume" ? ["stop", word] : [word.replace("=x", `=${SHA}`)];
  expect(statusView(factsOf({ ...complete, human }, [])).waiting).toEqual([what]);
});

test("in a stuck session, only roles that did everything have finished, and those that gave up are named", () => {
  const gaveUp = `review.end unit=review:One:${oid("1")} m=One checkpoint=${oid("1")} outcome=gaveup findings="[]" reason=x`;
  const stuck: Story = {
    ...complete,
    reviewer: [gaveUp],
    builder: [...built, `final.open n=1 at=${oid("1")}`, ended("stuck", "it gave up")],
  };
  const says = ({ builder, reviewer }: Story) =>
    statusView(
      factsOf({ ...stuck, builder: builder ?? [], reviewer: reviewer ?? [] }, []),
    ).roles.map((role) => role.says);
  const ends = "ended: the session is stuck";
  expect(says(stuck)).toEqual([ends, ends, "gave up", ends]);
  const halted = [...built, "halt reason=no-progress explanation=x", ended("stuck", "x")];
  expect(says({ builder: halted })).toEqual([ends, "gave up", ends, ends]);
  expect(says(complete)).toEqual(["finished", "finished", "finished", "finished"]);
});

test("an obstacle that an engine reports is not shown as a question, in status or list", () => {
  const blocked: Story = {
    planner,
    builder: [
      built[0] ?? "",
      `build.end unit=build:One:1 m=One outcome=blocked ticks="[]" commits=- milestones="[]" question=builder-1 ask="No database"`,
    ],
  };
  const view = statusView(factsOf(blocked, []));
  expect(view.stage).toBe("blocked");
  expect(view.roles[1]?.says).toBe("cannot continue without you (builder-1)");
  const listed = listedSession(factsOf(blocked, []));
  expect(listed).toMatchObject({ questions: 1, blocked: 1 });
  expect(plainText(sessionRows([listed]))).not.toContain("question");
  const besides = { ...listed, stage: "building" as const, questions: 2 };
  expect(plainText(sessionRows([besides]))).toContain("1 question, 1 role blocked");
});
