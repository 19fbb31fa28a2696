import { expect, test } from "vitest";
import type { z } from "zod";
import type { LogRecord } from "../../src/fs-protocol/home/logs.ts";
import { renderRecord } from "../../src/views/timeline/render-record.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import { decodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";

const T = "2026-11-20T12:00:00.000Z";
const SHA = "0123456789abcdef0123456789abcdef01234567";
const HASH = "a".repeat(64);

const LOOKS = JSON.stringify([
  { name: "correctness", level: "blocking", verdict: "passed" },
  { name: "docs", level: "suggestion", verdict: "passed" },
  { name: "tests", level: "blocking", verdict: "gaveup" },
  { name: "sql", level: "blocking", verdict: "skipped" },
]);
const FINDING = JSON.stringify({
  id: "COR-3fa2b1",
  level: "blocking",
  reviewer: "correctness",
  category: "Correctness",
  brief: "Takes nonsense for a number",
  file: "src/parse.js",
  line: 6,
  issue: "It does.",
  suggestion: "Refuse it.",
});
const look = (rest: string) => `look at=${SHA} tree=${SHA} command=c ${rest} optional=yes`;
const quote = (text: string) => JSON.stringify(text);

/** A line of a log and its words for people; `undefined` if it is not shown. */
type Case = readonly [LogRecord["log"], string, string | undefined];

const CASES: readonly Case[] = [
  ["planner", "role.start pid=7", "started, process 7"],
  ["planner", `role.end reason=stopped`, "ended: stopped"],
  [
    "planner",
    "watch.lost errno=EMFILE",
    "gets no file events (EMFILE): it polls every second instead",
  ],
  [
    "planner",
    "file.restored file=logs/planner.log found=cut",
    "restored logs/planner.log: someone else had truncated it",
  ],
  ["planner", "unit.begin unit=plan:b0:r0", "begins the plan"],
  ["tester", look("n=2 verdict=green alone=yes"), "look 2 at 0123456789ab, alone: green"],
  [
    "tester",
    look("n=2 verdict=green alone=yes waited=21000"),
    "look 2 at 0123456789ab, alone after 21s of waiting for engines: green",
  ],
  [
    "tester",
    look("n=3 verdict=red reason=bad alone=yes waited=300000 beside=2"),
    "look 3 at 0123456789ab, beside 2 turns of engines after 5m of waiting: red: bad",
  ],
  [
    "planner",
    "turn.begin unit=plan:b0:r0 purpose=plan attempt=1 engine=replay output=x",
    undefined,
  ],
  ["planner", "turn.end unit=plan:b0:r0 output=o outcome=ended", undefined],
  [
    "planner",
    "turn.end unit=plan:b0:r0 output=o outcome=stopped",
    "stopped in the middle of the plan",
  ],
  [
    "planner",
    `attempt.failed unit=plan:b0:r0 reason="exited with code 1"`,
    "failed at the plan: exited with code 1",
  ],
  ["planner", `note text="all is well"`, "all is well"],
  [
    "planner",
    `plan.end unit=plan:b0:r0 seq=0 boundary=0 request=0 outcome=plan plan=${HASH} milestones=${quote(JSON.stringify([{ name: "API", tasks: ["a", "b"] }]))}`,
    'planned 1 milestone, 2 tasks: "API" 2',
  ],
  ["planner", "plan.end unit=plan:b1:r0 seq=1 boundary=1 request=0 outcome=keep", "keeps the plan"],
  [
    "planner",
    `plan.end unit=plan:b0:r0 seq=0 boundary=0 request=0 outcome=needs_input question=planner-1 ask="Which port?"`,
    "asks (planner-1): Which port?",
  ],
  [
    "builder",
    `unit.recover unit=build:API:1 found=committed rescue=refs/wisp/rescue/x`,
    'was interrupted at building "API": its commits are in the clone; unfinished work is saved at refs/wisp/rescue/x',
  ],
  [
    "builder",
    `unit.wait unit=build:API:1 reason="the branch is checked out in /x"`,
    'waits at building "API": the branch is checked out in /x',
  ],
  [
    "builder",
    `plan.adopt seq=0 plan=${HASH} request=0 milestones=${quote(JSON.stringify([{ name: "API", tasks: ["a"] }]))}`,
    'follows the plan: "API" (1 task)',
  ],
  [
    "builder",
    `plan.refuse seq=1 plan=${HASH} reason="it drops API"`,
    "refuses the plan: it drops API",
  ],
  [
    "builder",
    `plan.adopt human=2 plan=${HASH} request=0 milestones=${quote(JSON.stringify([{ name: "API", tasks: ["a"] }]))} ticks=[]`,
    'follows the edited plan: "API" (1 task)',
  ],
  [
    "builder",
    `plan.refuse human=2 plan=${HASH} reason="it drops API"`,
    `refuses the edit of TASKS.md, kept as plans/${HASH}.md: it drops API`,
  ],
  ["builder", `push.intent unit=build:API:1 shas=${SHA} ticks="[]" splits="[]"`, undefined],
  ["builder", `push.done unit=build:API:1 sha=${SHA}`, "published 0123456789"],
  [
    "builder",
    `verify.result at=${SHA} tree=${SHA} command="npm test" outcome=failed failing=${quote('["adds","subtracts"]')}`,
    "verify failed at 0123456789: adds, subtracts",
  ],
  [
    "builder",
    `build.end unit=build:API:1 m=API outcome=partial ticks=${quote('[{"m":"API","tasks":[1,2]}]')} commits=${SHA} milestones="[]"`,
    '"API" is not finished yet: 2 tasks done, 1 commit; continues with it at once',
  ],
  [
    "builder",
    `build.end unit=build:API:1 m=API outcome=milestone ticks=${quote('[{"m":"API","tasks":[1]}]')} commits=- milestones=${quote(JSON.stringify([{ name: "API", start: SHA, end: SHA }]))}`,
    'finished "API": 1 task done, 0 commits',
  ],
  [
    "builder",
    `build.end unit=build:API:2 m=API outcome=unverified ticks="[]" commits=- milestones="[]" reason="npm test exited with 1"`,
    '"API" is ticked off, but verify is worse than before: npm test exited with 1',
  ],
  [
    "builder",
    `base.end unit=base:${SHA} at=${SHA} outcome=needs_input question=builder-1 ask="${"Why? ".repeat(150)}"`,
    `asks (builder-1): ${"Why? ".repeat(150).trim()}`,
  ],
  [
    "builder",
    `base.end unit=base:${SHA} at=${SHA} outcome=accepted by=builder-1`,
    "continues with the base as it is, as you said",
  ],
  [
    "builder",
    `base.end unit=base:${SHA} at=${SHA} outcome=judged`,
    "continues: verify at the base passes or names the failing tests now",
  ],
  [
    "builder",
    `hint.end unit=hint:API:3 m=API attempts=4 stalled=3 outcome=hint text="Read it\\nline by line."`,
    'stuck hint for "API" after 3 attempts, in .stuck-hint.md: Read it line by line.',
  ],
  [
    "builder",
    "hint.end unit=hint:API:3 reason=crashed m=API attempts=4 stalled=3 outcome=none",
    'has no stuck hint for "API" after 3 attempts: crashed',
  ],
  [
    "builder",
    "drain.close cause=timeout waiting=reviewer,tester fix=COR-3fa2b1",
    "waited long enough for reviewer, tester; to fix: COR-3fa2b1",
  ],
  [
    "builder",
    "drain.close cause=all waiting=- fix=-",
    "finished waiting for the reviewer and the tester: nothing to fix",
  ],
  [
    "builder",
    `fix.end unit=fix:COR-3fa2b1:1 id=COR-3fa2b1 attempt=1 outcome=fixed sha=${SHA} by=correctness brief="Takes nonsense" files="[]"`,
    "fixed COR-3fa2b1 in 0123456789: Takes nonsense",
  ],
  ["builder", `final.open n=1 at=${SHA}`, "everything is built: asks for final pass 1"],
  ["builder", `halt reason=no-progress explanation="nothing moved"`, "halts: nothing moved"],
  [
    "builder",
    `done how=complete head=${SHA} open=- gaveup=- failed="[]" human=0 reason=fine`,
    "complete at 0123456789",
  ],
  [
    "builder",
    `done how=stuck head=${SHA} open=- gaveup=- failed="[]" human=0 reason="it is stuck"`,
    "stuck: it is stuck",
  ],
  [
    "builder",
    "reopen human=1 by=human.log",
    "continues after the end, because a person asked for more",
  ],
  [
    "reviewer",
    `review.end unit=commit:${SHA} checkpoint=${SHA} outcome=reviewed findings=${quote(`[${FINDING}]`)}`,
    "reviewed commit 0123456789: 1 finding: COR-3fa2b1, blocking: Takes nonsense for a number (src/parse.js:6)",
  ],
  [
    "reviewer",
    `review.end unit=review:API:${SHA} m=API outcome=reviewed findings="[]"`,
    'reviewed milestone "API": no findings',
  ],
  [
    "reviewer",
    `review.end unit=review:API:${SHA} m=API outcome=reviewed findings="[]" reviewers=${quote(LOOKS)}`,
    'reviewed milestone "API" (correctness, docs; no answer from tests; skipped: sql): no findings',
  ],
  [
    "reviewer",
    `verify.end unit=verify:COR-3fa2b1:${SHA}:1 id=COR-3fa2b1 attempt=1 sha=${SHA} verdict=closed`,
    "closed COR-3fa2b1: the fix 0123456789 holds",
  ],
  ["reviewer", "adopt.end human=0 dismiss=COR-3fa2b1 why=no", "dismissed COR-3fa2b1, as you asked"],
  [
    "reviewer",
    `command.result unit=review:API:${SHA} at=${SHA} tree=${SHA} tests=${"f".repeat(40)} command=c outcome=failed reason="node exited with 1"`,
    "the tests as they stood at ffffffffff fail at 0123456789: node exited with 1",
  ],
  [
    "reviewer",
    `command.result unit=review:API:${SHA} at=${SHA} tree=${SHA} tests=${"f".repeat(40)} harness=${"f".repeat(40)} command=c outcome=passed`,
    "the tests as they stood at ffffffffff, with all that ran them then, pass at 0123456789",
  ],
  [
    "reviewer",
    `command.result unit=review:API:${SHA} at=${SHA} tree=${SHA} tests=${"f".repeat(40)} harness=${"f".repeat(40)} command=checks:c outcome=passed`,
    "the tests as they stood at ffffffffff, run by their own checks alone, pass at 0123456789",
  ],
  [
    "tester",
    `command.result unit=final:1 at=${SHA} tree=${SHA} command=c outcome=failed reason="it exited with 1"`,
    "ran a command at 0123456789: it failed: it exited with 1",
  ],
  [
    "tester",
    `command.result unit=final:1 at=${SHA} tree=${SHA} command=c of=verify outcome=passed`,
    "ran verify at 0123456789: it passed",
  ],
  [
    "tester",
    `command.result unit=test:API:${SHA} at=${SHA} tree=${SHA} command=c of=bug outcome=passed`,
    "ran the command to reproduce a bug at 0123456789: it passed",
  ],
  [
    "tester",
    `command.result unit=verify:BUG-3fa2b1:${SHA}:1 at=${SHA} tree=${SHA} command=c of=bug outcome=failed reason="it exited with 1"`,
    "ran the command of BUG-3fa2b1 at 0123456789: it failed: it exited with 1",
  ],
  [
    "tester",
    `command.result unit=final:1 at=${SHA} tree=${SHA} command=canary:c outcome=failed reason=test/a.test.js`,
    "planted a failing test in test/a.test.js at 0123456789: verify saw it",
  ],
  ["tester", `push.done unit=final:1 sha=${SHA}`, "published tests: 0123456789"],
  [
    "tester",
    `test.end unit=test:API:${SHA} m=API outcome=gaveup bugs="[]" commits=- reason="no sense in it"`,
    'gave up testing milestone "API": no sense in it',
  ],
  [
    "tester",
    `final.end unit=final:1 n=1 at=${SHA} outcome=tested bugs="[]" commits=-`,
    "tested the whole at 0123456789: no bugs",
  ],
  [
    "tester",
    `verify.end unit=verify:BUG-3fa2b1:${SHA}:1 id=BUG-3fa2b1 attempt=1 sha=${SHA} verdict=reopened reason="still there"`,
    "BUG-3fa2b1 is not fixed by 0123456789: still there",
  ],
  ["supervisor", "supervisor.start pid=9", "supervises as process 9"],
  ["supervisor", `supervisor.end code=0 reason="it is complete"`, "ends: it is complete"],
  ["supervisor", "role.spawn role=tester pid=4", "starts the tester, process 4"],
  [
    "supervisor",
    `role.exit role=tester code=1 reason="exit code 1"`,
    "the tester ended: exit code 1",
  ],
  ["supervisor", "lease role=tester pid=4", undefined],
  [
    "supervisor",
    "file.restored file=logs/human.log found=missing",
    "restored logs/human.log: someone else had removed it",
  ],
  [
    "supervisor",
    `role.failed role=tester reason="crashed 5 times"`,
    "the tester failed for good: crashed 5 times",
  ],
  ["human", "stop", "asked to stop"],
  ["human", "resume", "asked to resume"],
  ["human", `answer question=builder-1 text="Port 8080"`, "answered builder-1: Port 8080"],
  [
    "human",
    `edit plan=${HASH} request=0 milestones=${quote(JSON.stringify([{ name: "API", tasks: ["a", "b"] }]))} ticks=[] cleared=[]`,
    "wrote the plan: 1 milestone, 2 tasks",
  ],
  ["human", `dismiss id=COR-3fa2b1 why="as designed"`, "dismissed COR-3fa2b1: as designed"],
];

function recordOf(log: LogRecord["log"], fields: string): LogRecord {
  switch (log) {
    case "planner":
      return { log, record: decoded(PlannerRecord, fields) };
    case "builder":
      return { log, record: decoded(BuilderRecord, fields) };
    case "reviewer":
      return { log, record: decoded(ReviewerRecord, fields) };
    case "tester":
      return { log, record: decoded(TesterRecord, fields) };
    case "supervisor":
      return { log, record: decoded(SupervisorRecord, fields) };
    case "human":
      return { log, record: decoded(HumanRecord, fields) };
  }
}

function decoded<S extends z.ZodType>(schema: S, fields: string): z.output<S> {
  const read = decodeRecord(schema, `${T} ${fields}`);
  if (!read.ok) throw new Error(`${fields}: ${read.failure.problem}`);
  return read.value;
}

test.each(CASES)("%s.log: %s", (log, fields, text) => {
  expect(renderRecord(recordOf(log, fields))?.text).toBe(text);
});

test("any record is one line without control characters", () => {
  const hostile = JSON.stringify("a\u001b[2Jb\r\nplanner  | all is well\u202e");
  const rendered = renderRecord(recordOf("builder", `note text=${hostile}`));
  expect(rendered?.text).toBe("ab planner | all is well");
});

test("cuts a very long text", () => {
  const rendered = renderRecord(recordOf("builder", `note text=${"x".repeat(900)}`));
  expect(rendered?.text.length).toBeLessThanOrEqual(400);
});
