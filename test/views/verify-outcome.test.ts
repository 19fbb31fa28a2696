import { plainText } from "../../src/views/rows/row.ts";
import { expect, test } from "vitest";
import { doneRows, type DoneView } from "../../src/views/review/done-view.ts";
import { verifyOutcome } from "../../src/views/review/verify-outcome.ts";
import { factsOf, oid, type Story } from "../cli/session-states.ts";

const ran = (outcome: string) =>
  `verify.result at=${oid("1")} tree=${oid("9")} command=c outcome=${outcome}`;
const final = (verify: string) =>
  `final.end unit=final:1 n=1 at=${oid("1")} verify=${verify} outcome=tested bugs=[] commits=-`;

function outcomeOf(story: Story) {
  return verifyOutcome(factsOf({ ...story, commits: [oid("1")] }).state);
}

test.each([
  ["passed", "passed"],
  ["asbase", "no-worse"],
  ["excused", "excused"],
] as const)("a final pass with verify %s is reported as %s", (verify, outcome) => {
  expect(outcomeOf({ builder: [ran("failed")], tester: [final(verify)] })).toBe(outcome);
});

test("uses the builder's last run if the final pass has no result", () => {
  expect(outcomeOf({ builder: [ran("passed")] })).toBe("passed");
  expect(outcomeOf({ builder: [ran("failed")] })).toBe("no-worse");
  expect(verifyOutcome({ ...factsOf({}).state, hasVerify: false })).toBe("none");
});

test.each([
  ["passed", "1 milestone, all green."],
  ["no-worse", "1 milestone, verify fails no worse than before."],
  ["excused", "1 milestone, verify fails, and you dismissed the bug about it."],
  ["none", "1 milestone, nothing was verified."],
] as const)("done --dry-run describes verify of the work as %s", (verify, words) => {
  expect(plainText(doneRows({ ...VIEW, verify })).split("\n")[0]).toBe(
    `api can be shipped: ${words} Nothing has been done yet.`,
  );
});

const VIEW: DoneView = {
  schema: "wisp.done/1",
  session: "api",
  branch: "wisp/api",
  head: oid("1"),
  isDryRun: true,
  remote: undefined,
  pullRequest: undefined,
  page: undefined,
  title: "",
  body: "",
  isBodyShown: false,
  milestones: 1,
  verify: "passed",
  revisions: 0,
  sensitive: [],
  unusual: [],
  edits: [],
  changes: undefined,
  rescues: [],
  left: [],
};
