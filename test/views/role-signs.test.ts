import { join } from "node:path";
import { expect, test } from "vitest";
import { READ_CHUNK_BYTES } from "../../src/base/limits.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { homeAt, logPath } from "../../src/fs-protocol/home/home.ts";
import { schemaOf, type RecordOfLog } from "../../src/fs-protocol/home/logs.ts";
import { RoleSigns } from "../../src/views/timeline/role-signs.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { timeAt } from "../rig/records.ts";

const HOME = homeAt("/home");
const UNIT = "build:API:1";

/** A builder whose log and whose command's output grow. */
function builderAtWork() {
  const files = new MemoryFiles();
  const printed = new Map<string, string>();
  const log = (record: RecordOfLog<"builder">) => {
    const line = `${encodeRecord(schemaOf("builder"), record)}\n`;
    expect(files.append(logPath(HOME, "builder"), Buffer.from(line)).ok).toBe(true);
  };
  const begin = (output: string, minute: number) => {
    log({ kind: "unit.begin", time: timeAt(minute), unit: UNIT });
    const turn = { engine: "command", m: "API", unit: UNIT, purpose: "work", attempt: 1 };
    log({ kind: "turn.begin", time: timeAt(minute), output, ...turn });
  };
  const prints = (output: string, text: string) => {
    const path = join(HOME.turns, `${output}.out`);
    printed.set(path, (printed.get(path) ?? "") + text);
    expect(files.replace(path, Buffer.from(printed.get(path) ?? "")).ok).toBe(true);
  };
  return { log, begin, prints, signs: new RoleSigns(files, HOME, "builder") };
}

test("a role without a turn shows no sign of life", () => {
  const { log, begin, signs } = builderAtWork();
  expect(signs.read(1)).toBeUndefined();
  begin("one", 1);
  expect(signs.read(2)).toMatchObject({ beganMs: Date.parse(timeAt(1)), lastLine: undefined });
  const ended = { output: "one", outcome: "ended", unit: UNIT } as const;
  log({ kind: "turn.end", time: timeAt(2), ...ended });
  expect(signs.read(3)).toBeUndefined();
});

test("a sign moves only when the output has grown, and the last line with text stays", () => {
  const { begin, prints, signs } = builderAtWork();
  begin("one", 1);
  prints("one", "before anybody looked\n");
  expect(signs.read(10)).toMatchObject({ pieces: 0, grewMs: undefined });
  prints("one", "reading \u001B[31msrc/api.ts\n\n  \n");
  const grown = { pieces: 1, grewMs: 20, lastLine: "reading src/api.ts" };
  expect(signs.read(20)).toMatchObject(grown);
  expect(signs.read(30)).toMatchObject(grown);
  prints("one", "unfinished");
  expect(signs.read(40)).toMatchObject({ pieces: 2, grewMs: 40, lastLine: "reading src/api.ts" });
});

test("the next turn begins without the signs of the previous one", () => {
  const { begin, prints, signs } = builderAtWork();
  begin("one", 1);
  prints("one", "a line\n");
  signs.read(10);
  begin("two", 5);
  expect(signs.read(20)).toEqual({
    ...{ beganMs: Date.parse(timeAt(5)), pieces: 0, grewMs: undefined, lastLine: undefined },
  });
});

test("of a long output only the end is read, from its first whole line on", () => {
  const { begin, prints, signs } = builderAtWork();
  begin("one", 1);
  prints("one", "x".repeat(3 * READ_CHUNK_BYTES));
  expect(signs.read(10)).toMatchObject({ lastLine: undefined });
  prints("one", "the rest of it\nwhole\n");
  expect(signs.read(20)).toMatchObject({ lastLine: "whole" });
});
