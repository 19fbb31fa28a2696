import { expect, test } from "vitest";
import { RecordReader } from "../../src/workspace/session/record-reader.ts";
import { unreadWords } from "../../src/workspace/session/open-records.ts";
import { HOME, writtenSession } from "../rig/written-session.ts";

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
