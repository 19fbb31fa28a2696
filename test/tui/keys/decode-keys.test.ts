import { StringDecoder } from "node:string_decoder";
import fc from "fast-check";
import { expect, test } from "vitest";
import { KEY_SEQUENCE_CHARS_MAX, PASTE_CHARS_MAX } from "../../../src/base/limits.ts";
import type { Key } from "../../../src/tui/key.ts";
import { decodeKeys, endPause, NOTHING_BEGUN } from "../../../src/tui/keys/decode-keys.ts";

const text = (words: string): Key => ({ kind: "text", text: words });
const paste = (words: string): Key => ({ kind: "paste", text: words });

/** The keys of pieces of input that are followed by a pause. Text that arrived in several pieces is joined. */
function keysOf(...pieces: readonly string[]): readonly Key[] {
  let begun = NOTHING_BEGUN;
  const keys: Key[] = [];
  for (const piece of pieces) {
    const decoded = decodeKeys(begun, piece);
    keys.push(...decoded.keys);
    begun = decoded.begun;
  }
  return joined([...keys, ...endPause(begun)]);
}

function joined(keys: readonly Key[]): readonly Key[] {
  return keys.reduce<readonly Key[]>((before, key) => {
    const last = before.at(-1);
    if (last?.kind !== "text" || key.kind !== "text") return [...before, key];
    return [...before.slice(0, -1), text(last.text + key.text)];
  }, []);
}

test.each<[string, readonly Key[]]>([
  ["t", [text("t")]],
  ["\r", [{ kind: "enter" }]],
  ["\n", [{ kind: "new-line" }]],
  ["\u001B\r", [{ kind: "new-line" }]],
  ["\u001B[13;2u", [{ kind: "new-line" }]],
  ["\u001B", [{ kind: "escape" }]],
  ["\u001B\u001B", [{ kind: "escape" }, { kind: "escape" }]],
  ["\u001B[D", [{ kind: "left" }]],
  ["\u001BOC", [{ kind: "right" }]],
  ["\u001B[A\u001B[B", [{ kind: "up" }, { kind: "down" }]],
  ["\u001B\u001B[A", [{ kind: "up" }]],
  ["\u009BA", [{ kind: "up" }]],
  ["\u001B[5~", [{ kind: "page-up" }]],
  ["\u001B[6~", [{ kind: "page-down" }]],
  ["\u001B[1~\u001B[7~\u001B[H\u001BOH\u0001", Array.from({ length: 5 }, () => ({ kind: "home" }))],
  ["\u001B[4~\u001B[8~\u001B[F\u001BOF\u0005", Array.from({ length: 5 }, () => ({ kind: "end" }))],
  ["\u001B[3~\u0004", [{ kind: "delete" }, { kind: "delete" }]],
  ["\u001B[1;5D\u001Bb", [{ kind: "word-left" }, { kind: "word-left" }]],
  ["\u001B[1;3C\u001Bf", [{ kind: "word-right" }, { kind: "word-right" }]],
  ["\t", [{ kind: "tab" }]],
  ["\u007F\b", [{ kind: "backspace" }, { kind: "backspace" }]],
  ["\u0003", [{ kind: "interrupt" }]],
  ["\u001B\u0003", [{ kind: "interrupt" }]],
  ["\u001B[\u0003", [{ kind: "interrupt" }]],
  ["\u0015\u000B\u0017", [{ kind: "erase-line" }, { kind: "erase-rest" }, { kind: "erase-word" }]],
  ["\u000C\u001A", [{ kind: "redraw" }, { kind: "suspend" }]],
  ["abc", [text("abc")]],
  ["d\u007F\r", [text("d"), { kind: "backspace" }, { kind: "enter" }]],
  ["two words, 日本語 🙂", [text("two words, 日本語 🙂")]],
  ["a\u202E\u0007b", [text("ab")]],
  ["", []],
])("reads %j as %j", (input, keys) => {
  expect(keysOf(input)).toEqual(keys);
});

test.each([
  "\u001B[1;5A",
  "\u001BOP",
  "\u001B[[A",
  "\u001Bx",
  "\u001B[201~",
  "\u001B[<0;1;1M",
  "\u001B[M !!",
  "\u001B[?1;2c",
  "\u001B[24;80R",
  "\u001B]11;rgb:0000/0000/0000\u0007",
  "\u001B]11;rgb:0000/0000/0000\u001B\\",
  "\u001BP>|some terminal(1.2)\u001B\\",
  `\u001B[${"1;".repeat(KEY_SEQUENCE_CHARS_MAX)}5~`,
  `\u001BO${"5".repeat(2 * KEY_SEQUENCE_CHARS_MAX)}A`,
  `\u001B]52;c;${"QUFB".repeat(KEY_SEQUENCE_CHARS_MAX)}\u0007`,
])("an unknown sequence such as %j is no key, and no text", (input) => {
  expect(keysOf(`${input}t`)).toEqual([text("t")]);
  expect(keysOf(...input.split(""), "t")).toEqual([text("t")]);
});

test("pasted text is one key with all its lines, whatever it contains", () => {
  const pasted = (inner: string) => keysOf(`\u001B[200~${inner}\u001B[201~`);
  expect(pasted("one\rtwo\r\nthree\n")).toEqual([paste("one\ntwo\nthree")]);
  expect(pasted("S\u0003y\u001B[A\u001B[31mred\u001B[0m")).toEqual([paste("Syred")]);
  expect(pasted("a\tb")).toEqual([paste("a    b")]);
  // What could have begun the end of the paste.
  expect(pasted("\u001B[20")).toEqual([paste("20")]);
  expect(pasted("")).toEqual([]);
  expect(keysOf("a\u001B[200~b\u001B[201~c")).toEqual([text("a"), paste("b"), text("c")]);
});

test("a paste that never ends is taken after a pause, and one that is too long is cut", () => {
  expect(keysOf("\u001B[200~one", "two")).toEqual([paste("onetwo")]);
  const long = "x".repeat(PASTE_CHARS_MAX);
  expect(keysOf("\u001B[200~", long, "yyy\u001B[201~z")).toEqual([paste(long), text("z")]);
});

/** What terminals send, and what they never should. */
const PIECES = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    ...[
      "\u001B",
      "\u001B\u001B",
      "\u001B[",
      "\u001BO",
      "\u001B]",
      "\u001B[A",
      "\u001B[5~",
      "\u001B[",
    ],
    ...["\u001B[200~", "\u001B[201~", "\u001B[20", "0~", "[M", "[", "1;", "~", "A", "\u001B\\"],
    ...["\r", "\n", "\t", "\u009B31m", "\u0003", "\u007F", "\u0007", "日本", "🙂", "x"],
    "9".repeat(KEY_SEQUENCE_CHARS_MAX),
  ),
);
const INPUT = fc.oneof(
  fc.array(PIECES, { maxLength: 20 }).map((pieces) => Buffer.from(pieces.join(""))),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

test("however the bytes of an input are divided over reads, the keys are the same", () => {
  fc.assert(
    fc.property(INPUT, fc.array(fc.nat(), { maxLength: 30 }), (bytes, cuts) => {
      const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
        (one, other) => one - other,
      );
      // As streams with an encoding do it.
      const decoder = new StringDecoder("utf8");
      const pieces = ends.map((end, at) => decoder.write(bytes.subarray(ends[at - 1] ?? 0, end)));
      const whole = new StringDecoder("utf8").write(bytes);
      expect(keysOf(...pieces)).toEqual(keysOf(whole));
    }),
    { numRuns: 2_000 },
  );
});

test("whatever arrives, the text in it has no control characters but the line breaks of pasted text", () => {
  fc.assert(
    fc.property(INPUT, (bytes) => {
      for (const key of keysOf(bytes.toString("utf8"))) {
        if (key.kind === "text") expect(key.text).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}]+$/u);
        if (key.kind === "paste") expect(key.text).toMatch(/^(?:\n|[^\p{Cc}\p{Cf}\p{Cs}])+$/u);
      }
    }),
  );
});

test("Ctrl-C outside of a paste is never lost, whatever precedes it", () => {
  fc.assert(
    fc.property(INPUT, (bytes) => {
      const before = bytes.toString("utf8");
      const { begun } = decodeKeys(NOTHING_BEGUN, before);
      fc.pre(begun.pasted === undefined);
      expect(decodeKeys(begun, "\u0003").keys).toContainEqual({ kind: "interrupt" });
    }),
  );
});
