import fc from "fast-check";
import { expect, test } from "vitest";
import { READ_CHUNK_BYTES } from "../../src/base/limits.ts";
import { beginOfLastLines } from "../../src/fs-protocol/codec/last-lines.ts";
import { readLines, START, type Cursor } from "../../src/fs-protocol/codec/read-lines.ts";
import { MemoryFiles } from "../rig/memory-files.ts";

const PATH = "/session/logs/a.log";

function linesFrom(files: MemoryFiles, cursor: Cursor): readonly string[] {
  const texts: string[] = [];
  const read = readLines(files, PATH, cursor, {
    line: ({ text }) => texts.push(text ?? ""),
    restart: () => texts.push("(start over)"),
  });
  expect(read.ok).toBe(true);
  return texts;
}

test("reading from there gives exactly the last complete lines, whatever their lengths", () => {
  const length = fc.oneof(
    fc.integer({ min: 1, max: 40 }),
    fc.constantFrom(READ_CHUNK_BYTES - 1, READ_CHUNK_BYTES, READ_CHUNK_BYTES + 1),
  );
  const shape = fc.record({
    lengths: fc.array(length, { maxLength: 30 }),
    count: fc.integer({ min: 1, max: 40 }),
    begun: fc.constantFrom("", "begun"),
  });
  fc.assert(
    fc.property(shape, ({ lengths, count, begun }) => {
      const lines = lengths.map((chars, at) => String(at).padEnd(chars, "x"));
      const files = new MemoryFiles();
      files.write(PATH, lines.map((line) => `${line}\n`).join("") + begun);
      expect(linesFrom(files, beginOfLastLines(files, PATH, count))).toEqual(lines.slice(-count));
    }),
    { numRuns: 200 },
  );
});

test("of a long file only the end is read", () => {
  const files = new MemoryFiles();
  files.write(PATH, "a line\n".repeat(1_000_000));
  let pieces = 0;
  files.fault = (operation) => {
    if (operation === "read") pieces += 1;
    return undefined;
  };
  expect(linesFrom(files, beginOfLastLines(files, PATH, 5))).toHaveLength(5);
  // One piece from the end, and for the reading the byte before the first line, and the lines.
  expect(pieces).toBe(3);
});

test("a file that is missing, or cannot be read, is read from its start", () => {
  const files = new MemoryFiles();
  expect(beginOfLastLines(files, PATH, 3)).toBe(START);
  files.write(PATH, "a\nb\nc\nd\n");
  files.fault = (operation) => (operation === "read" ? "EIO" : undefined);
  expect(beginOfLastLines(files, PATH, 3)).toBe(START);
});
