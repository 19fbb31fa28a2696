import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { planted, SOURCES } from "../rig/planting.ts";
import { hasTitle } from "../planted/has-title.ts";
import { PLANTED_MISTAKES } from "../planted/mistakes.ts";
import { PLANTED_FAULTS } from "../sim/planted-faults.ts";
import { ALL_PLANTED } from "./all-planted.ts";

test("the text that each planted mistake replaces occurs exactly once in the source", () => {
  const edited = [...ALL_PLANTED, ...PLANTED_FAULTS, ...PLANTED_MISTAKES].map(({ edits = [] }) => {
    const texts = new Map<string, string>();
    for (const edit of edits) {
      const text = texts.get(edit.file) ?? readFileSync(`${SOURCES}/${edit.file}`, "utf8");
      texts.set(edit.file, planted(text, edit));
    }
    return texts.size;
  });
  expect(edited.filter((files) => files > 0).length).toBeGreaterThan(100);
});

test("each test that must find a planted mistake is there under the title that the mistake names", () => {
  const missing = PLANTED_MISTAKES.flatMap(({ foundBy: { file, title } }) =>
    hasTitle(readFileSync(file, "utf8"), title) ? [] : [`${file}: ${title}`],
  );
  expect(missing).toEqual([]);
});

test("a title is there only if the strings of a file make it", () => {
  const file = [
    'test.each(["moved a tag", "made a link"])("a tree whose command %s has its references", () => {});',
    "// a tree whose command moved a branch",
    'for (const each of ["one", "two"]) test(`of ${each} nothing stays`, () => {});',
  ].join("\n");
  const seen = [
    ...["a tree whose command moved a tag", "a tree whose command moved a tag has its ref"],
    ...["of two nothing", "with 'no sandbox' of one"],
    ...[
      "a tree whose command moved a branch",
      "a tree whose command moved a tag keeps",
      "of three",
    ],
  ];
  expect(seen.map((title) => hasTitle(file, title))).toEqual([
    ...[true, true, true, true],
    ...[false, false, false],
  ]);
});
