import fc from "fast-check";
import { expect, test } from "vitest";
import type { z } from "zod";
import { READ_CHUNK_BYTES } from "../../src/base/limits.ts";
import { badLine } from "../../src/fs-protocol/codec/bad-line.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { ok } from "../../src/base/result.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { LineFold, LogFold } from "../../src/fs-protocol/codec/log-fold.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { anyRecord, type RecordUnion } from "../rig/arbitrary-record.ts";
import { MemoryFiles } from "../rig/memory-files.ts";

const PATH = "/session/logs/a.log";

/** All records of a log, as one reader after the other sees them. */
function recordsIn<S extends z.ZodType>(files: MemoryFiles, schema: S): readonly z.output<S>[] {
  const log = new LogFold<S, readonly z.output<S>[]>({
    files,
    path: PATH,
    schema,
    empty: [],
    reduce: (all, record) => [...all, record],
  });
  const read = log.refresh();
  return read.ok ? read.value : [];
}

test.each([
  ["builder.log", BuilderRecord],
  ["reviewer.log", ReviewerRecord],
  ["tester.log", TesterRecord],
  ["human.log", HumanRecord],
] as const)(
  "%s, torn at any byte and then appended to, keeps every whole record and gains none",
  (_, schema: RecordUnion) => {
    const records = anyRecord(schema);
    fc.assert(
      fc.property(
        fc.array(records, { maxLength: 3 }),
        records,
        records,
        fc.nat(),
        (before, torn, after, n) => {
          const files = new MemoryFiles();
          const line = (record: z.output<RecordUnion>) => Buffer.from(encodeRecord(schema, record));
          for (const record of before) files.append(PATH, line(record));
          const fragment = line(torn).subarray(0, n % line(torn).length);
          files.write(PATH, Buffer.concat([files.bytesOf(PATH), fragment]));
          expect(recordsIn(files, schema)).toEqual(before);
          files.append(PATH, line(after));
          expect(recordsIn(files, schema)).toEqual([...before, after]);
        },
      ),
      { numRuns: 500 },
    );
  },
);

test("a record without its newline never counts, because the next writer decided without it", () => {
  const files = new MemoryFiles();
  const line = encodeRecord(HumanRecord, { kind: "stop", time: "2026-11-20T12:00:00.000Z" });
  files.write(PATH, line.trimEnd());
  files.append(PATH, Buffer.from(line.replace("stop", "pause")));
  expect(recordsIn(files, HumanRecord).map(({ kind }) => kind)).toEqual(["pause"]);
});

/** A fold of numbers, one per line. */
function numbers(files: MemoryFiles, onRecord?: (n: number) => void) {
  return new LineFold<number, readonly number[]>({
    files,
    path: PATH,
    decode: (line) => (/^\d+$/.test(line) ? ok(Number(line)) : badLine("it is no number")),
    empty: [],
    reduce: (all, n) => [...all, n],
    onRecord,
  });
}

test("a refresh folds only new records", () => {
  const files = new MemoryFiles();
  const folded: number[] = [];
  const fold = numbers(files, (n) => folded.push(n));
  expect(fold.refresh()).toEqual(ok([]));
  files.append(PATH, Buffer.from("1\n2\n"));
  expect(fold.refresh()).toEqual(ok([1, 2]));
  const before = fold.value;
  fold.refresh();
  expect(fold.value).toBe(before);
  files.append(PATH, Buffer.from("3\n"));
  fold.refresh();
  expect(fold.value).toEqual([1, 2, 3]);
  expect(folded).toEqual([1, 2, 3]);
});

test("refreshing at any moments gives the same fold as reading once", () => {
  const appended = fc.array(fc.constantFrom("1\n", "22\n333\n", "x\n", "\n", "4444\n"));
  fc.assert(
    fc.property(appended, fc.array(fc.boolean()), (texts, looks) => {
      const files = new MemoryFiles();
      const often = numbers(files);
      for (const [index, text] of texts.entries()) {
        files.append(PATH, Buffer.from(text));
        if (looks[index] === true) often.refresh();
      }
      const once = numbers(files);
      expect(often.refresh()).toEqual(once.refresh());
      expect(often.quarantined).toEqual(once.quarantined);
    }),
  );
});

test("skips a bad line and keeps its place", () => {
  const files = new MemoryFiles();
  const fold = numbers(files);
  files.write(
    PATH,
    Buffer.concat([Buffer.from("1\nx\n"), Buffer.from([0xff]), Buffer.from("\n2\n")]),
  );
  expect(fold.refresh()).toEqual(ok([1, 2]));
  expect(fold.quarantined).toEqual([
    { path: PATH, offsetBytes: 2, lengthBytes: 2, problem: "it is no number" },
    { path: PATH, offsetBytes: 4, lengthBytes: 2, problem: "too long, or not UTF-8" },
  ]);
});

test("counts a sealed fragment as a bad line", () => {
  const files = new MemoryFiles();
  files.write(PATH, "1\n23");
  files.append(PATH, Buffer.from("4\n"));
  const fold = numbers(files);
  expect(fold.refresh()).toEqual(ok([1, 4]));
  expect(fold.quarantined).toHaveLength(1);
});

test("folds a replaced file from its start, with its bad lines", () => {
  const files = new MemoryFiles();
  const fold = numbers(files);
  files.write(PATH, "1\nx\n2\n");
  fold.refresh();
  files.replace(PATH, Buffer.from("7\ny\n"));
  expect(fold.refresh()).toEqual(ok([7]));
  expect(fold.quarantined).toMatchObject([{ offsetBytes: 2 }]);
});

test("a removed file gives an empty fold", () => {
  const files = new MemoryFiles();
  const fold = numbers(files);
  files.write(PATH, "1\n");
  fold.refresh();
  files.remove(PATH);
  expect(fold.refresh()).toEqual(ok([]));
});

test("folds no record twice after a read that failed half-way", () => {
  const files = new MemoryFiles();
  const line = `${"1".repeat(15)}\n`;
  files.write(PATH, line.repeat(Math.ceil(READ_CHUNK_BYTES / line.length) + 10));
  const fold = numbers(files);
  let reads = 0;
  files.fault = () => (++reads === 2 ? "EIO" : undefined);
  expect(fold.refresh()).toMatchObject({ ok: false, failure: { errno: "EIO" } });
  const read = fold.refresh();
  expect(read.ok && read.value.length).toBe(files.bytesOf(PATH).length / line.length);
});
