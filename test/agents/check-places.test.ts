import { GitFailure } from "../../src/base/ports/repo.ts";
import { expect, test } from "vitest";
import { checkPlaces, describeRefused } from "../../src/agents/judge/check-places.ts";
import { fail, ok, type Result } from "../../src/base/result.ts";
import { decodeFindingsBlocks } from "../../src/fs-protocol/findings/findings-block.ts";
import { value } from "../git/rig.ts";

const AT = "1".repeat(40);
const FILES: Readonly<Record<string, string>> = { "a.js": "one\ntwo\n", "empty.js": "" };

function check(places: readonly string[]) {
  const findings = places.map(
    (place, index) =>
      `${index + 1}. **X-1**: Correctness - Wrong at ${place}\n   - File: ${place}\n   - Issue: Wrong.`,
  );
  const blocks = value(decodeFindingsBlocks(`### Verdict: NEEDS_WORK\n\n${findings.join("\n\n")}`));
  const shown: string[] = [];
  const clone = {
    show: (at: string, path: string): Promise<Result<string | undefined, GitFailure>> => {
      shown.push(`${at} ${path}`);
      return Promise.resolve(ok(FILES[path]));
    },
  };
  return { checked: checkPlaces(blocks, { clone, at: AT }), shown };
}

test("a finding at a file or line that does not exist is refused; the others stay", async () => {
  const { checked } = check(["a.js:2", "a.js:3", "gone.js:1", "a.js", "gone.js", "(none)"]);
  const { blocks, refused } = value(await checked);
  expect(blocks.flatMap(({ findings }) => findings.map(({ brief }) => brief))).toEqual([
    "Wrong at a.js:2",
    "Wrong at a.js",
    "Wrong at (none)",
  ]);
  expect(refused.map(describeRefused)).toEqual([
    "refused a finding at a.js:3, the file has 2 lines: Wrong at a.js:3",
    "refused a finding at gone.js:1, there is no such file: Wrong at gone.js:1",
    "refused a finding at gone.js, there is no such file: Wrong at gone.js",
  ]);
});

test("a finding may name the first line of an empty file, but not the second", async () => {
  const { refused } = value(await check(["empty.js:1", "empty.js:2"]).checked);
  expect(refused.map(({ line }) => line)).toEqual([2]);
});

test("each file is read once, at the commit that was reviewed", async () => {
  const { checked, shown } = check(["a.js:1", "a.js:2", "gone.js:1"]);
  await checked;
  expect(shown).toEqual([`${AT} a.js`, `${AT} gone.js`]);
});

test("a failure of git refuses no finding", async () => {
  const failure = GitFailure({ operation: "show", directory: "/", message: "no" });
  const blocks = value(
    decodeFindingsBlocks("### Verdict: NEEDS_WORK\n\n1. **X-1**: C - Wrong\n   - File: a.js:1"),
  );
  const clone = { show: () => Promise.resolve(fail(failure)) };
  expect(await checkPlaces(blocks, { clone, at: AT })).toEqual({ ok: false, failure });
});
