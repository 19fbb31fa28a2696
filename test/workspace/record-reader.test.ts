import { expect, test } from "vitest";
import { READ_CHUNK_BYTES } from "../../src/base/limits.ts";
import { roleLog } from "../../src/fs-protocol/home/home.ts";
import { readLastRecords, RecordReader } from "../../src/workspace/session/record-reader.ts";
import { unreadWords } from "../../src/workspace/session/open-records.ts";
import { HOME, writtenSession } from "../rig/written-session.ts";
import type { MemoryFiles } from "../rig/memory-files.ts";

const STOP = "2026-11-20T12:59:00.000Z stop\n";

test("records of all logs come by time, and a later read has only what is new", () => {
  const files = writtenSession();
  const reader = new RecordReader(files, HOME);
  const times = reader.read().records.map(({ record }) => record.time);
  expect(times).toEqual([...times].sort());
  files.append(HOME.humanLog, Buffer.from(STOP));
  expect(reader.read().records.map(({ log, record }) => `${log} ${record.kind}`)).toEqual([
    "human stop",
  ]);
  expect(reader.read()).toEqual({ records: [], unread: [] });
});

test("a line that is no record, and one without an end, are reported with their places", () => {
  const files = writtenSession();
  const before = files.bytesOf(HOME.humanLog).length;
  files.write(HOME.humanLog, `${files.textOf(HOME.humanLog)}nonsense\n${STOP}2026-11-20T12`);
  const reader = new RecordReader(files, HOME);
  const { records, unread } = reader.read();
  expect(records.at(-1)?.record.kind).toBe("stop");
  const after = before + "nonsense\n".length + STOP.length;
  expect([...unread, ...reader.tails()].map(unreadWords)).toEqual([
    expect.stringContaining(`logs/human.log: the line at byte ${String(before)} is not a record: `),
    `logs/human.log: the line at byte ${String(after)} has no end: it was cut off, or is still being written.`,
  ]);
});

test("a fragment that the next append sealed is no gap", () => {
  const files = writtenSession();
  files.write(HOME.humanLog, `${files.textOf(HOME.humanLog)}2026-11-20T12`);
  files.append(HOME.humanLog, Buffer.from(STOP));
  const reader = new RecordReader(files, HOME);
  expect([...reader.read().unread, ...reader.tails()]).toEqual([]);
});

test("a log that cannot be read is reported once, the others are read, and nothing comes twice", () => {
  const files = writtenSession();
  const reader = new RecordReader(files, HOME);
  const all = reader.read().records.length;
  files.append(HOME.humanLog, Buffer.from(STOP));
  files.fault = (operation, path) =>
    operation === "read" && path === HOME.humanLog ? "EACCES" : undefined;
  expect(reader.read().unread.map(unreadWords)).toEqual([
    expect.stringMatching(/^logs\/human\.log could not be read: .+\.$/u),
  ]);
  expect(reader.read()).toEqual({ records: [], unread: [] });
  files.fault = () => undefined;
  expect(all).toBeGreaterThan(0);
  expect(reader.read().records.map(({ record }) => record.kind)).toEqual(["stop"]);
});

/** Logs of a person and a planner who take turns for a long time, some of their records at the same moment. */
function longSession(records: number): MemoryFiles {
  const files = writtenSession();
  const lines = Array.from({ length: records }, (_, at) => {
    const time = new Date(
      Date.parse("2027-01-01T00:00:00.000Z") + Math.floor(at / 3),
    ).toISOString();
    if (at % 7 < 4) return { log: HOME.humanLog, line: `${time} stop\n` };
    return { log: roleLog(HOME, "planner"), line: `${time} note text=waits\n` };
  });
  for (const log of [HOME.humanLog, roleLog(HOME, "planner")]) {
    const text = lines.filter((one) => one.log === log).map(({ line }) => line);
    files.append(log, Buffer.from(text.join("")));
  }
  return files;
}

test("the last records are those of a whole reading, however many are asked for", () => {
  const files = longSession(9_000);
  const whole = new RecordReader(files, HOME).read().records;
  expect(whole.length).toBeGreaterThan(9_000);
  for (const count of [0, 1, 100, 1_000, 3_000, whole.length, whole.length + 1]) {
    const { batch } = readLastRecords(files, HOME, (records) => records.length >= count);
    expect(batch.records.slice(-count || Infinity)).toEqual(whole.slice(-count || Infinity));
  }
});

test("for the last records of long logs only their ends are read", () => {
  const files = longSession(120_000);
  const pieces = Math.floor(files.bytesOf(HOME.humanLog).length / READ_CHUNK_BYTES);
  const read: string[] = [];
  files.fault = (operation, path) => {
    if (operation === "read") read.push(path);
    return undefined;
  };
  readLastRecords(files, HOME, (records) => records.length >= 20);
  expect(pieces).toBeGreaterThan(5);
  // A piece from the end, and for the reading the byte before the first line, and the lines.
  expect(read.filter((path) => path === HOME.humanLog)).toHaveLength(3);
});

test("after the last records, a reader goes on with what is new, also if the log was put in place again", () => {
  const files = longSession(9_000);
  const { reader } = readLastRecords(files, HOME, (records) => records.length >= 20);
  files.append(HOME.humanLog, Buffer.from(STOP));
  expect(reader.read().records.map(({ record }) => record.kind)).toEqual(["stop"]);
  files.replace(HOME.humanLog, files.bytesOf(HOME.humanLog));
  expect(reader.read().records).toEqual([]);
  files.append(HOME.humanLog, Buffer.from(STOP));
  expect(reader.read().records.map(({ record }) => record.kind)).toEqual(["stop"]);
});

test("of a period only its records are decoded, and damage that has no time is still reported", () => {
  const files = writtenSession();
  const whole = new RecordReader(files, HOME).read().records;
  const sinceTime = whole[Math.floor(whole.length / 2)]?.record.time ?? "";
  files.append(HOME.humanLog, Buffer.from("nonsense\n2026-01-01T00:00:00.000Z nonsense\n"));
  const { records, unread } = new RecordReader(files, HOME, { sinceTime }).read();
  expect(records).toEqual(whole.filter(({ record }) => record.time >= sinceTime));
  expect(unread.map(unreadWords)).toEqual([
    expect.stringContaining("logs/human.log: the line at byte"),
  ]);
});
