import fc from "fast-check";
import { expect, test } from "vitest";
import { Finding } from "../../src/fs-protocol/records/finding.ts";
import { findingId, type FindingContent } from "../../src/fs-protocol/findings/finding-id.ts";

const CONTENT: FindingContent = {
  kind: "finding",
  category: "Correctness",
  file: "src/parse.ts",
  anchor: "  return tokens[index + 1];",
  brief: "Reads past the end",
};

test.each([
  ["Security", "SEC"],
  ["correctness", "COR"],
  ["Error handling", "ERR"],
  ["2nd-level naming", "NDL"],
  ["Sécurité", "SEC"],
  ["UX", "FND"],
  ["安全", "FND"],
])("the category %s gives the prefix %s", (category, prefix) => {
  expect(findingId({ ...CONTENT, category })).toMatch(new RegExp(`^${prefix}-[0-9a-f]{6}$`, "u"));
});

test("a bug has the prefix BUG whatever its category", () => {
  expect(findingId({ ...CONTENT, kind: "bug" })).toMatch(/^BUG-/u);
});

test("with a line of code, neither wording nor white space changes the id", () => {
  const again = { ...CONTENT, brief: "Off by one", anchor: "return  tokens[index + 1];\t" };
  expect(findingId(again)).toBe(findingId(CONTENT));
});

test("another file, category or line of code gives another id", () => {
  const ids = [
    findingId(CONTENT),
    findingId({ ...CONTENT, file: "src/lex.ts" }),
    findingId({ ...CONTENT, file: undefined }),
    findingId({ ...CONTENT, category: "Correctness of types" }),
    findingId({ ...CONTENT, anchor: "return tokens[index];" }),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([undefined, "", "   ", "}", "});"])(
  "with %j as the line, the id depends on the brief",
  (anchor) => {
    const one = findingId({ ...CONTENT, anchor });
    expect(findingId({ ...CONTENT, anchor, brief: " reads  PAST the end" })).toBe(one);
    expect(findingId({ ...CONTENT, anchor, brief: "Leaks a handle" })).not.toBe(one);
  },
);

test("a brief that equals a line of code gives another id than that line", () => {
  const byLine = findingId({ ...CONTENT, anchor: "x", brief: "y" });
  expect(findingId({ ...CONTENT, anchor: undefined, brief: "x" })).not.toBe(byLine);
});

test("a second equal finding in a turn gets its own id", () => {
  expect(findingId({ ...CONTENT, occurrence: 1 })).toBe(findingId(CONTENT));
  expect(findingId({ ...CONTENT, occurrence: 2 })).not.toBe(findingId(CONTENT));
});

test("any content gives an id that records accept", () => {
  const text = fc.string({ unit: "binary" });
  const content = fc.record({
    kind: fc.constantFrom<FindingContent["kind"][]>("finding", "bug"),
    category: text,
    file: fc.option(text, { nil: undefined }),
    anchor: fc.option(text, { nil: undefined }),
    brief: text,
  });
  fc.assert(
    fc.property(content, (any) => {
      expect(Finding.shape.id.safeParse(findingId(any)).success).toBe(true);
    }),
  );
});
