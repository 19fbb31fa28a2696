import { expect, test } from "vitest";
import { pullRequestText } from "../../src/views/review/pull-request-text.ts";
import { differsElsewhere } from "../../src/views/status/differs-elsewhere.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import { factsOf, oid } from "../cli/session-states.ts";

/** A session in which verify was run where nothing is named after wisp, with these outcomes and the same reason. */
function ended(...outcomes: readonly ("passed" | "failed" | "unstarted")[]) {
  return factsOf({
    tester: outcomes.map((outcome, index) =>
      [
        `command.result unit=final:1 at=${oid("1")} tree=${oid(String(index))} command=neutral:c`,
        `outcome=${outcome} reason="at 1 verify fails there: @all <b>adds</b>"`,
      ].join(" "),
    ),
    commits: [oid("1")],
  });
}

test("what the last run of a work shows counts, also that of a revision", () => {
  const [green, red] = [ended("passed").state, ended("failed").state];
  expect(differsElsewhere(ended("passed", "failed").state)).toContain("verify fails there");
  expect(differsElsewhere(ended("failed", "passed").state)).toBe(undefined);
  expect(differsElsewhere(ended("failed", "unstarted").state)).toBe(undefined);
  expect(differsElsewhere(green, red)).toContain("verify fails there");
  expect(differsElsewhere(red, green)).toBe(undefined);
  expect(differsElsewhere(red, ended().state)).toContain("verify fails there");
});

test("in a pull request, the names of tests that differ mention nobody and format nothing", () => {
  const facts = ended("failed");
  const { session, state } = facts;
  const work = { session, state, view: statusView(facts), request: "", changes: "" };
  expect(pullRequestText(work).body).toContain(
    "- Verify differs where neither a path nor a variable is named after wisp: " +
      "at 1 verify fails there: \\@\u200Ball \\<b\\>adds\\</b\\>.\n",
  );
});
