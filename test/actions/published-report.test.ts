import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanerOf } from "../../src/actions/close/published-report.ts";
import { publicReport } from "../../src/views/report/public-report.ts";
import { failedTurns, writtenReport } from "../rig/written-report.ts";

const TOKEN = "abcdefgh-12345678";
const WORLD = { env: { HOME: "/weird/place/ada", MY_TOKEN: TOKEN } };
const PLACES = { repository: "/work space/app", state: "/weird/state/app" };

test.each([
  ["a key", "uses ghp_abcdefghijklmnopqrstuvwxyz012345 here", "uses REDACTED here"],
  ["the value of a variable", `uses ${TOKEN} here`, "uses REDACTED here"],
  [
    "a password in an address",
    "at https://ada:hunter22@example.com/x",
    "at https://ada:REDACTED@example.com/x",
  ],
  ["the repository's place", "in /work space/app/src/a.ts", "in (a local path)/src/a.ts"],
  ["the state's place", "in /weird/state/app/builder", "in (a local path)/builder"],
  ["the person's home", "in /weird/place/ada/.ssh/id", "in (a local path)/.ssh/id"],
  [
    "another local place",
    "in (/home/bob/notes.txt), ~/x and /tmp/a",
    "in ((a local path)), (a local path) and (a local path)",
  ],
  [
    "nothing of the project",
    "src/home/a.ts:3 and GET /api/users",
    "src/home/a.ts:3 and GET /api/users",
  ],
])("of a text that leaves the machine it removes %s", (_, text, shown) => {
  expect(cleanerOf(WORLD, PLACES)(text)).toBe(shown);
});

test("a variable's secret is not in a text that leaves the machine, whatever is around it", () => {
  const clean = cleanerOf(WORLD, PLACES);
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      expect(clean(`${before}${TOKEN}${after}`)).not.toContain(TOKEN);
    }),
  );
});

test("the public form has milestones, findings and cost, but nothing of engines' output", () => {
  const output = "panic at the disco";
  const view = {
    ...writtenReport(["Parser"], "It is wrong", failedTurns(2, output)),
    meanwhile: [output],
    trouble: [output],
  };
  const text = publicReport(view).join("\n");
  expect(text).toContain("| Parser |");
  expect(text).toContain("COR-3fa2b1");
  expect(text).not.toContain(output);
});
