import fc from "fast-check";
import { expect, test } from "vitest";
import { nameRefusals } from "../../../src/work/turn/name-refusals.ts";
import { inSentences } from "../../../src/base/words/in-sentences.ts";
import { REASON_CHARS_MAX } from "../../../src/base/limits.ts";

const REFUSALS = { engine: "copilot", denied: 2, refused: "view on …/request.md; bash" };
const LAST = "copilot was refused: view on …/request.md; bash";

test.each([
  ["the plan has no milestone", `the plan has no milestone. ${LAST}`],
  ["The plan has no milestone.", `The plan has no milestone. ${LAST}`],
  ["", LAST],
])("the refused tools follow the reason %j", (reason, words) => {
  expect(nameRefusals(reason, [REFUSALS])).toBe(words);
});

test("a refusal that the reason already names, or that is repeated, is named once", () => {
  expect(nameRefusals(LAST, [REFUSALS])).toBe(LAST);
  expect(nameRefusals("no", [REFUSALS, REFUSALS])).toBe(`no. ${LAST}`);
});

test("without refusals the reason is unchanged", () => {
  expect(nameRefusals("no verdict", [])).toBe("no verdict");
});

test("refusals without names are counted", () => {
  const refusals = [{ engine: "codex", denied: 3, refused: "" }];
  expect(nameRefusals("no", refusals)).toBe("no. codex was refused: 3 calls of tools");
});

test("refusals are named within the bound, however long the reason is", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3_000 }), (reason) => {
      const said = nameRefusals(`${reason}${"x".repeat(2_000)}`, [REFUSALS]);
      expect(said.length).toBeLessThanOrEqual(REASON_CHARS_MAX);
      expect(said.endsWith(LAST)).toBe(true);
    }),
  );
});

test.each([
  [["said nothing for 5 s", "See the log"], "said nothing for 5 s. See the log."],
  [["Is it so?", "(It is.)", "“Yes!”", "Wait…"], "Is it so? (It is.) “Yes!” Wait…"],
  [["", " a; ", "b:"], "a. b."],
  [[], ""],
])("joins sentences from several sources: %j", (texts, joined) => {
  expect(inSentences(...texts)).toBe(joined);
});

test("sentences are separated, and joining them again changes nothing", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      const joined = inSentences(...texts);
      expect(inSentences(joined)).toBe(joined);
      expect(joined === "" || /[.!?…][)\]"'”’]?$/u.test(joined)).toBe(true);
    }),
  );
});
