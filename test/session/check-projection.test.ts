import fc from "fast-check";
import { expect, test } from "vitest";
import {
  checkProjection,
  linesToKeep,
  type ProjectionFile,
} from "../../src/session/check/check-projection.ts";
import { ok } from "../../src/base/result.ts";
import { badLine } from "../../src/fs-protocol/codec/bad-line.ts";

/** Lines of this file are letters; all others are unknown. */
function fileOf(text: string, expected: readonly string[], isOpenToPeople = false): ProjectionFile {
  return {
    path: "/session/file",
    bytes: Buffer.from(text),
    expected,
    decode: (line) => (/^[a-z]$/.test(line) ? ok(line) : badLine("it is no letter")),
    isOpenToPeople,
  };
}

const issuesOf = (file: ProjectionFile) =>
  checkProjection(file).map((issue) => `${issue.kind}${"text" in issue ? ` ${issue.text}` : ""}`);

test.each([
  ["a\nb\n", []],
  ["a\n", ["line-missing b"]],
  ["", ["line-missing a", "line-missing b"]],
  ["b\n", ["line-missing a"]],
  ["b\na\n", ["line-misplaced a"]],
  ["a\nb\nb\n", ["line-extra b"]],
  ["a\nc\nb\n", ["line-extra c"]],
  ["a\n!\nb\n", ["bad-line"]],
  ["a\n! |torn\nb\n", []],
  ["a\nb\nx", ["torn-tail"]],
])("for %j, where a and b are expected, reports: %j", (text, issues) => {
  expect(issuesOf(fileOf(text, ["a", "b"]))).toEqual(issues);
});

test("an unknown line is no issue in a file that people may write to", () => {
  expect(issuesOf(fileOf("# Reviews\na\n\nb\n", ["a", "b"], true))).toEqual([]);
});

test("the lines kept plus the missing lines make the expected file, and unknown lines stay", () => {
  const line = fc.constantFrom("a", "b", "c", "!", "");
  const lines = fc.array(line, { maxLength: 12 });
  const expected = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 });
  fc.assert(
    fc.property(lines, expected, (present, wanted) => {
      const before = present.map((text) => `${text}\n`).join("");
      const kept = Buffer.from(linesToKeep(fileOf(before, wanted)) ?? before).toString();
      const letters = kept.split("\n").filter((text) => /^[a-z]$/.test(text));
      // The missing lines are appended, so the kept ones must be their beginning, in order.
      expect(letters).toEqual(wanted.slice(0, letters.length));
      const mended =
        kept +
        wanted
          .slice(letters.length)
          .map((text) => `${text}\n`)
          .join("");
      expect(issuesOf(fileOf(mended, wanted)).filter((issue) => issue !== "bad-line")).toEqual([]);
      const others = (text: string) => text.split("\n").filter((one) => one === "!").length;
      expect(others(kept)).toBe(others(before));
    }),
  );
});
