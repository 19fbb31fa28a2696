import fc from "fast-check";
import { expect, test } from "vitest";
import { LOG_NAMES } from "../../../src/base/role.ts";
import { logPath } from "../../../src/fs-protocol/home/home.ts";
import { ReportRecords, type RecordedReport } from "../../../src/views/report/report-records.ts";
import { encodeRecord } from "../../../src/fs-protocol/codec/record-codec.ts";
import { schemaOf } from "../../../src/fs-protocol/home/logs.ts";
import { human, sha, timeAt } from "../../rig/records.ts";
import { factsOf } from "../../cli/session-states.ts";
import { MemoryFiles } from "../../rig/memory-files.ts";
import { HOME, writtenSession } from "../../rig/written-session.ts";

const FOUND = { home: HOME, session: factsOf({}).session };
const WHOLE = LOG_NAMES.map((log) => {
  const read = writtenSession().read(logPath(HOME, log));
  return { log, text: Buffer.from((read.ok && read.value) || []).toString("utf8") };
}).filter(({ text }) => text !== "");

/** What is told. Only spans and milestones may come in the order in which the logs were read: each has its place. */
function told({ timeline, milestones, ...rest }: RecordedReport) {
  const inOrder = (values: readonly unknown[]) => values.map((one) => JSON.stringify(one)).sort();
  const { spans, marks, fromMs, toMs } = timeline;
  const names = inOrder([...milestones]);
  return { ...rest, names, spans: inOrder(spans), marks, fromMs, toMs };
}

test("what is read on, however logs grow, are cut or replaced, is what is read from the start", () => {
  const step = fc.record({
    log: fc.constantFrom(...WHOLE),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    isReplaced: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const files = new MemoryFiles();
      const records = new ReportRecords(files, FOUND);
      for (const { log, share, isReplaced } of steps) {
        const path = logPath(HOME, log.log);
        if (isReplaced) files.remove(path);
        files.write(path, log.text.slice(0, Math.ceil(share * log.text.length)));
        expect(told(records.read())).toEqual(told(new ReportRecords(files, FOUND).read()));
      }
    }),
  );
});

test("marks and divergences are in the order of time, whichever log was read first", () => {
  const said = (minute: number, what: string) =>
    ({ kind: "divergence", time: timeAt(minute), unit: "build:API:1", what }) as const;
  const verified = (minute: number) =>
    ({
      ...({ kind: "verify.result", time: timeAt(minute), outcome: "passed" } as const),
      ...{ at: sha(1), tree: sha(2), command: "c" },
    }) as const;
  const builderLines = [said(3, "c"), said(1, "b"), verified(2), verified(5)].map((record) =>
    encodeRecord(schemaOf("builder"), record),
  );
  const reviewerLines = [said(2, "d"), said(1, "a")].map((record) =>
    encodeRecord(schemaOf("reviewer"), record),
  );
  const humanLines = [1, 4].map((minute) =>
    encodeRecord(schemaOf("human"), { ...human.dismiss("BUG-000001"), time: timeAt(minute) }),
  );
  const logs = [
    { log: "builder", text: builderLines.join("") },
    { log: "reviewer", text: reviewerLines.join("") },
    { log: "human", text: humanLines.join("") },
  ] as const;
  fc.assert(
    fc.property(fc.shuffledSubarray([...logs], { minLength: logs.length }), (inOrder) => {
      const files = new MemoryFiles();
      const records = new ReportRecords(files, FOUND);
      for (const { log, text } of inOrder) {
        files.write(logPath(HOME, log), text);
        records.read();
      }
      const { timeline, divergences } = records.read();
      expect(divergences.map(({ what }) => what)).toEqual(["a", "b", "d", "c"]);
      const minutes = timeline.marks.map(({ atMs }) => (atMs - Date.parse(timeAt(0))) / 60_000);
      expect(minutes).toEqual([1, 2, 4, 5]);
    }),
  );
});

test("a log that cannot be read for a while is counted once when it can be read again", () => {
  const files = writtenSession();
  const whole = told(new ReportRecords(files, FOUND).read());
  expect(whole.spans.length).toBeGreaterThan(3);
  const path = logPath(HOME, "builder");
  const { text = "" } = WHOLE.find(({ log }) => log === "builder") ?? {};
  files.write(path, text.slice(0, text.indexOf("\n") + 1));
  const records = new ReportRecords(files, FOUND);
  records.read();
  files.write(path, text);
  files.fault = (operation, at) => (operation === "read" && at === path ? "EIO" : undefined);
  expect(records.read().unread).toEqual(["builder"]);
  files.fault = () => undefined;
  expect(told(records.read())).toEqual(whole);
});
