import fc from "fast-check";
import { expect, test } from "vitest";
import { LINE_BYTES_MAX, READ_CHUNK_BYTES } from "../../src/base/limits.ts";
import {
  readLines,
  START,
  type Cursor,
  type Line,
} from "../../src/fs-protocol/codec/read-lines.ts";
import { MemoryFiles } from "../rig/memory-files.ts";

const PATH = "/session/logs/a.log";
const START_OVER = "(start over)";

/** A reader of one file that remembers the lines that it read. */
class Reader {
  readonly files = new MemoryFiles();
  readonly seen: (Line | typeof START_OVER)[] = [];
  cursor: Cursor = START;

  read(): this {
    const read = readLines(this.files, PATH, this.cursor, {
      line: (line) => this.seen.push(line),
      restart: () => this.seen.push(START_OVER),
    });
    if (read.ok) this.cursor = read.value;
    return this;
  }

  get texts(): readonly (string | undefined)[] {
    return this.seen.map((seen) => (seen === START_OVER ? seen : seen.text));
  }
}

function readerOf(content: string | Uint8Array): Reader {
  const reader = new Reader();
  reader.files.write(PATH, content);
  return reader;
}

test("a missing file has no lines", () => {
  const reader = new Reader().read();
  expect(reader.texts).toEqual([]);
  expect(reader.cursor).toEqual(START);
});

test("reads each complete line once, with its place, and leaves the rest for later", () => {
  const reader = readerOf("one\ntwo\nthr").read();
  expect(reader.seen).toEqual([
    { offsetBytes: 0, lengthBytes: 4, text: "one" },
    { offsetBytes: 4, lengthBytes: 4, text: "two" },
  ]);
  expect(reader.cursor.offsetBytes).toBe(8);
  reader.read();
  expect(reader.seen).toHaveLength(2);
  reader.files.write(PATH, "one\ntwo\nthree\nfour\n");
  expect(reader.read().texts).toEqual(["one", "two", "three", "four"]);
});

test("gives the same lines if bytes arrive one at a time", () => {
  const bytes = Buffer.from("a\n\nü|€\n\u{1F600}\r\nlast\n");
  const reader = new Reader();
  for (let size = 1; size <= bytes.length; size++) {
    reader.files.write(PATH, bytes.subarray(0, size));
    reader.read();
  }
  expect(reader.texts).toEqual(["a", "ü|€", "\u{1F600}", "last"]);
});

test("gives the same lines for pieces and chunks of any size", () => {
  const content = fc
    .array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\n", "\r\n", "ab\n")))
    .map((parts) => Buffer.from(parts.join("")));
  fc.assert(
    fc.property(
      content,
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.nat(40)),
      (bytes, chunk, cuts) => {
        const whole = readerOf(bytes).read();
        const pieces = new Reader();
        inChunksOf(chunk, pieces.files);
        const sizes = [...cuts.filter((cut) => cut < bytes.length), bytes.length];
        for (const size of sizes.sort((one, other) => one - other)) {
          pieces.files.write(PATH, bytes.subarray(0, size));
          pieces.read();
        }
        expect(pieces.seen).toEqual(whole.seen);
        expect(pieces.cursor.offsetBytes).toBe(bytes.lastIndexOf(0x0a) + 1);
      },
    ),
    { numRuns: 500 },
  );
});

/** Makes each read return at most this many bytes, as a system may do. */
function inChunksOf(bytesMax: number, files: MemoryFiles): void {
  const readChunk = files.readChunk.bind(files);
  files.readChunk = (path, offset, length) => readChunk(path, offset, Math.min(length, bytesMax));
}

test("ignores carriage returns, byte order marks and empty lines", () => {
  expect(readerOf("\uFEFFone\r\n\n\r\n\uFEFF\r\ntwo\n").read().texts).toEqual(["one", "two"]);
  // Only one of each is removed: the others stay in the line, which is then a bad one.
  expect(readerOf("\uFEFF\uFEFFone\r\r\n").read().texts).toEqual(["\uFEFFone\r"]);
});

test("reads a line with NUL bytes as it is, and the next line whole", () => {
  expect(readerOf("\0\0\0\nnext\n").read().texts).toEqual(["\0\0\0", "next"]);
});

test.each([
  ["a lone continuation byte", [0x61, 0x80]],
  ["a cut character", [0xe2, 0x82]],
  ["an overlong form", [0xc0, 0xaf]],
  ["a surrogate", [0xed, 0xa0, 0x80]],
  ["a code point beyond the last", [0xf4, 0x90, 0x80, 0x80]],
])("reads %s as an invalid line, and the lines around it whole", (_, bytes) => {
  const content = Buffer.concat([Buffer.from("a\n"), Buffer.from(bytes), Buffer.from("\nb\n")]);
  const reader = readerOf(content).read();
  expect(reader.texts).toEqual(["a", undefined, "b"]);
  expect(reader.seen[1]).toMatchObject({ offsetBytes: 2, lengthBytes: bytes.length + 1 });
});

test("accepts a line up to the limit, including its newline", () => {
  const longest = "x".repeat(LINE_BYTES_MAX - 1);
  const reader = readerOf(`${longest}\n${longest}y\nafter\n`).read();
  expect(reader.texts).toEqual([longest, undefined, "after"]);
  expect(reader.seen[1]).toMatchObject({ lengthBytes: LINE_BYTES_MAX + 1 });
});

test("a very long unterminated line uses bounded memory and does not affect the next line", () => {
  const chunks = Math.ceil((3 * LINE_BYTES_MAX) / READ_CHUNK_BYTES) + 1;
  const reader = readerOf(Buffer.alloc(chunks * READ_CHUNK_BYTES, "x")).read();
  expect(reader.seen).toEqual([]);
  reader.files.append(PATH, Buffer.from("after\n"));
  expect(reader.read().texts).toEqual([undefined, "after"]);
});

test("reads a replaced file from its start", () => {
  const reader = readerOf("one\ntwo\n").read();
  reader.files.replace(PATH, Buffer.from("one\ntwo\nthree\n"));
  expect(reader.read().texts).toEqual(["one", "two", START_OVER, "one", "two", "three"]);
});

test("reads a file that was removed and recreated from its start", () => {
  const reader = readerOf("one\n").read();
  reader.files.remove(PATH);
  expect(reader.read().texts).toEqual(["one", START_OVER]);
  reader.read();
  reader.files.write(PATH, "two\n");
  expect(reader.read().texts).toEqual(["one", START_OVER, "two"]);
});

test("reads a file that became shorter from its start", () => {
  const reader = readerOf("one\ntwo\n").read();
  reader.files.cut(PATH, 4);
  expect(reader.read().texts).toEqual(["one", "two", START_OVER, "one"]);
});

test("reads a file that was cut and grew beyond the cursor from its start", () => {
  const reader = readerOf("one\ntwo\n").read();
  reader.files.write(PATH, "another first line\nand more\n");
  expect(reader.read().texts).toEqual(["one", "two", START_OVER, "another first line", "and more"]);
});

test("a failed read leaves the cursor where it was", () => {
  const reader = readerOf("one\n").read();
  reader.files.append(PATH, Buffer.from("two\n"));
  reader.files.fault = () => "EIO";
  const failed = readLines(reader.files, PATH, reader.cursor, {
    line: () => undefined,
    restart: () => undefined,
  });
  expect(failed).toMatchObject({ ok: false, failure: { kind: "file", errno: "EIO" } });
  reader.files.fault = () => undefined;
  expect(reader.read().texts).toEqual(["one", "two"]);
});
