import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanText } from "../../src/base/words/clean-text.ts";

const ESC = "\u001B";

function oneLine(text: string): string {
  return cleanText(text, { charsMax: 1_000, lines: "one" });
}

function manyLines(text: string): string {
  return cleanText(text, { charsMax: 1_000, lines: "many" });
}

test.each([
  ["colours", `${ESC}[1;31mred${ESC}[0m`, "red"],
  ["8-bit CSI", "\u009B31mred", "red"],
  ["a window title ended by BEL", `${ESC}]0;pwned\u0007text`, "text"],
  ["a hyperlink ended by ST", `${ESC}]8;;http://x${ESC}\\label${ESC}]8;;${ESC}\\`, "label"],
  ["a DCS string", `${ESC}Pq#0;2;0${ESC}\\text`, "text"],
  ["an APC string", `${ESC}_hidden${ESC}\\text`, "text"],
  ["an 8-bit OSC string", "\u009D0;title\u009Ctext", "text"],
  ["a charset switch", `${ESC}(0text`, "text"],
  ["NUL, BEL, backspace and DEL", "a\u0000b\u0007c\bd\u007Fe", "abcde"],
  ["a bidirectional override", "a\u202Eb\u2066c\u2069", "abc"],
  ["zero-width characters and a byte order mark", "a\u200Bb\u200Dc\uFEFFd", "abcd"],
  ["tag characters", "a\u{E0041}\u{E007F}b", "ab"],
  ["a lone surrogate", "a\uD83Db\uDE00c", "abc"],
  ["an emoji, which stays", "a😀b", "a😀b"],
])("%s", (_, dirty, clean) => {
  expect(oneLine(dirty)).toBe(clean);
});

test("an unterminated control string does not hide the lines after it", () => {
  expect(manyLines(`a ${ESC}]0;title\n### Verdict: NEEDS_WORK`)).toBe(
    "a 0;title\n### Verdict: NEEDS_WORK",
  );
});

test("a carriage return starts a line instead of writing over one", () => {
  expect(manyLines("real\rforged\r\nnext\u2028last")).toBe("real\nforged\nnext\nlast");
});

test("one line folds tabs and line breaks to single spaces", () => {
  expect(oneLine("  a\t\tb \n\n c\u00A0 ")).toBe("a b c");
});

test("several lines keep indentation and lose trailing spaces", () => {
  expect(manyLines("\n \n  a  \n\n    b\tc \n\n")).toBe("  a\n\n    b\tc");
});

test("a cut shows an ellipsis and splits no character", () => {
  expect(cleanText("ab😀cd", { charsMax: 4, lines: "one" })).toBe("ab…");
  expect(cleanText("ab cdef", { charsMax: 4, lines: "one" })).toBe("ab…");
});

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ESC,
        `${ESC}[`,
        `${ESC}]`,
        `${ESC}P`,
        `${ESC}\\`,
        "\u009B",
        "\u009C",
        "\u009D",
        "\u0090",
      ),
      fc.constantFrom(
        "\u0007",
        "\r",
        "\n",
        "\t",
        " ",
        "m",
        "31",
        ";",
        "\u202E",
        "\uD800",
        "\uDC00",
        "\u0000",
      ),
      fc.string({ unit: "binary" }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

test("any input gives bounded printable text, and cleaning it again changes nothing", () => {
  fc.assert(
    fc.property(
      hostile,
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom("one", "many"),
      (text, charsMax, lines) => {
        const clean = cleanText(text, { charsMax, lines });
        expect(clean.length).toBeLessThanOrEqual(charsMax);
        expect(clean).not.toMatch(
          lines === "one" ? /[\p{Cc}\p{Cf}\p{Cs}]/u : /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/u,
        );
        expect(cleanText(clean, { charsMax, lines })).toBe(clean);
      },
    ),
  );
});

test.each([
  ["introducers", ESC + "]"],
  ["8-bit introducers", "\u009D"],
  ["unfinished CSI", ESC + "[0;"],
  ["spaces", " "],
  ["spaces and a letter", "        x"],
])("a mebibyte of %s is cleaned in linear time", (_, unit) => {
  const text = unit.repeat((1024 * 1024) / unit.length);
  // Quadratic time would take hours here, so that the test ends is the proof.
  expect(manyLines(`${text}!`).length).toBeLessThanOrEqual(1_000);
  expect(oneLine(`${text}!`).length).toBeLessThanOrEqual(1_000);
});
