import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { planted, SOURCES } from "../rig/planting.ts";
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
