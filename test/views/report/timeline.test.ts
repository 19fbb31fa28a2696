import fc from "fast-check";
import { expect, test } from "vitest";
import type { LogName } from "../../../src/base/role.ts";
import { need } from "../../../src/base/fatal.ts";
import { decodeRecord } from "../../../src/fs-protocol/codec/record-codec.ts";
import { schemaOf, type LogRecord, type RecordOfLog } from "../../../src/fs-protocol/home/logs.ts";
import { axisTicks } from "../../../src/views/report/page/axis-ticks.ts";
import { tracksOf } from "../../../src/views/report/page/tracks.ts";
import { MilestoneReader } from "../../../src/views/report/recorded-milestones.ts";
import { TimelineReader, type Timeline } from "../../../src/views/report/timeline.ts";

const SHA = "a".repeat(40);
const END_SHA = "b".repeat(40);
const UNIT = "unit=build:One:1";

/** The entry of a line that happened so many seconds after noon. */
function entryAt<L extends LogName>(log: L, second: number, line: string): LogRecord<L> {
  const time = new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString();
  const entryOf = (record: RecordOfLog<L>): LogRecord<L> => ({ log, record });
  return entryOf(need(decodeRecord(schemaOf(log), `${time} ${line}`)));
}

function timelineOf(...lines: readonly (readonly [LogName, number, string])[]): Timeline {
  const reader = new TimelineReader();
  for (const line of lines) reader.add(entryAt(...line));
  return reader.timeline;
}

const begin = (output: string) =>
  `turn.begin ${UNIT} purpose=build attempt=1 engine=codex m=One output=${output}`;

test("a turn lasts from its begin to its end, and has what its end reports", () => {
  const end = `turn.end ${UNIT} output=t1 outcome=failed failure=crash cost=0.5 model=gpt`;
  const { spans } = timelineOf(["builder", 1, begin("t1")], ["builder", 4, end]);
  expect(spans).toMatchObject([
    { lane: "builder", kind: "turn", outcome: "failed", milestone: "One", costUsd: 0.5 },
  ]);
  const [{ fromMs, toMs = 0 } = { fromMs: 0 }] = spans;
  expect(toMs - fromMs).toBe(3_000);
});

test("a turn without an end stays open, and an end without a begin adds nothing", () => {
  const end = `turn.end ${UNIT} output=unknown outcome=ended`;
  const { spans } = timelineOf(["builder", 1, begin("t1")], ["builder", 4, end]);
  expect(spans).toMatchObject([{ outcome: "open", toMs: undefined }]);
});

test("a drain window lasts from the end of a milestone to its close", () => {
  const build = `build.end ${UNIT} m=One outcome=milestone ticks="[]" commits=- milestones="[{\\"name\\":\\"One\\",\\"start\\":\\"${SHA}\\",\\"end\\":\\"${END_SHA}\\"}]"`;
  const close = "drain.close cause=timeout waiting=- fix=-";
  const { spans, marks } = timelineOf(["builder", 1, build], ["builder", 9, close]);
  expect(spans).toMatchObject([{ kind: "drain", milestone: "One", cause: "timeout" }]);
  expect(marks).toMatchObject([{ kind: "milestone", lane: "builder" }]);
});

test("the commits of a build and of a fix are each marked when they are published", () => {
  const intent = `push.intent unit=fix:COR-3fa2b1:1 shas=${END_SHA} ticks=[] splits=[]`;
  const fixed = `fix.end unit=fix:COR-3fa2b1:1 id=COR-3fa2b1 attempt=1 outcome=fixed sha=${END_SHA} by=correctness brief=Wrong files=[]`;
  const { marks } = timelineOf(
    ["builder", 1, `push.intent ${UNIT} shas=${SHA} ticks=[] splits=[]`],
    ["builder", 2, `push.done ${UNIT} sha=${SHA}`],
    ["builder", 3, intent],
    ["builder", 4, fixed],
  );
  const text = (sha: string) => `published 1 commit: ${sha.slice(0, 10)}`;
  expect(marks).toMatchObject([
    { kind: "commits", text: text(SHA) },
    { kind: "commits", text: text(END_SHA) },
  ]);
});

test("a hold without an end of its own lasts until the next turn", () => {
  const hold = 'limited engine=codex cause=auth human=0 reason="log in"';
  const { spans } = timelineOf(["builder", 1, hold], ["builder", 7, begin("t1")]);
  const [held] = spans;
  expect(held).toMatchObject({ kind: "hold", cause: "auth" });
  expect((held?.toMs ?? 0) - (held?.fromMs ?? 0)).toBe(6_000);
});

test("crashes, restarts, retries and what people say are marks in their lanes", () => {
  const { marks } = timelineOf(
    ["supervisor", 1, 'role.exit role=tester reason="killed by SIGKILL"'],
    ["supervisor", 2, 'role.exit role=planner code=0 reason="exit code 0"'],
    ["tester", 3, "role.start pid=1"],
    ["tester", 4, "role.start pid=2"],
    ["tester", 5, 'attempt.failed unit=test:One:b reason="no answer"'],
    ["human", 6, "pause"],
  );
  expect(marks.map(({ lane, kind }) => [lane, kind])).toEqual([
    ["tester", "crash"],
    ["tester", "restart"],
    ["tester", "retry"],
    ["you", "person"],
  ]);
});

test("a milestone has its range, the verify at its end, and how it was answered", () => {
  const reader = new MilestoneReader();
  const lines: readonly (readonly [LogName, number, string])[] = [
    ["builder", 1, begin("t1")],
    ["builder", 2, `verify.result at=${END_SHA} tree=${SHA} command=c outcome=passed`],
    [
      "builder",
      3,
      `build.end ${UNIT} m=One outcome=milestone ticks="[]" commits=${END_SHA} milestones="[{\\"name\\":\\"One\\",\\"start\\":\\"${SHA}\\",\\"end\\":\\"${END_SHA}\\"}]"`,
    ],
    ["reviewer", 5, `review.end unit=review:One:${END_SHA} m=One outcome=reviewed findings="[]"`],
  ];
  for (const line of lines) reader.add(entryAt(...line));
  expect(reader.milestones.get("One")).toMatchObject({
    builds: 1,
    commits: [END_SHA],
    verify: "passed",
    range: { start: SHA, end: END_SHA },
    review: { outcome: "reviewed" },
    test: undefined,
  });
});

test("an axis has at most nine ticks, evenly apart, from its begin to at most its end", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 * 24 * 3_600_000 }), (rangeMs) => {
      const ticks = axisTicks(rangeMs);
      const [first, step = rangeMs] = ticks;
      expect(first).toBe(0);
      expect(ticks).toEqual(ticks.map((_, at) => at * step));
      expect(ticks.length).toBeLessThanOrEqual(9);
      expect(ticks.at(-1)).toBeLessThanOrEqual(rangeMs);
    }),
  );
});

test("of stretches on one track, none overlaps another as long as there are tracks left", () => {
  const arbitrary = fc.array(fc.tuple(fc.nat(1_000), fc.nat(100)), { maxLength: 40 });
  fc.assert(
    fc.property(arbitrary, (drawn) => {
      const stretches = drawn
        .map(([fromMs, lengthMs]) => ({ fromMs, toMs: fromMs + lengthMs }))
        .sort((one, other) => one.fromMs - other.fromMs);
      const { trackOf, tracks } = tracksOf(stretches, 2_000);
      expect(tracks).toBeLessThanOrEqual(6);
      for (const [at, { fromMs }] of stretches.entries()) {
        const before = stretches.slice(0, at).filter((_, other) => trackOf[other] === trackOf[at]);
        const isFree = before.every(({ toMs }) => toMs <= fromMs);
        expect(isFree || trackOf[at] === 5).toBe(true);
      }
    }),
  );
});
