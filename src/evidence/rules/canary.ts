import { FINDING_TEXT_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { findingId } from "../../fs-protocol/findings/finding-id.ts";
import { judgeByCanary } from "../canary/check-with-canary.ts";
import type { EndRule } from "./evidence-rule.ts";

const CATEGORY = "Tests";
const BRIEF = "Verify stays green with a failing test in it";

/** The id of the one finding that a canary produces. Another canary closes it. */
export const CANARY_ID = findingId({
  kind: "bug",
  category: CATEGORY,
  file: undefined,
  anchor: undefined,
  brief: BRIEF,
});

/** Verify passes with a failing test planted in it, although it failed with one at the base. */
export const canary: EndRule = {
  kind: "canary",
  role: "tester",
  mayChangeTests: true,
  restoresTests: false,
  find: ({ session: { verify }, canary: planted }) => {
    const command = verify.map((argv) => argv.join(" ")).join("; ");
    return planted?.outcome === "passed" ? [canaryFinding(planted.reason ?? "", command)] : [];
  },
  findAgain: judgeByCanary,
};

function canaryFinding(path: string, command: string): Finding {
  const issue = `wisp planted a failing test at the end of the session (${path}) and ran ${command}, in a tree that was thrown away. It passed. With such a test at the base it failed: something that the work changed, perhaps code that tests load, keeps tests from being run, or their failures from being seen.`;
  return {
    id: CANARY_ID,
    level: "blocking",
    reviewer: "tester",
    category: CATEGORY,
    brief: BRIEF,
    issue: cleanText(issue, { charsMax: FINDING_TEXT_CHARS_MAX, lines: "one" }),
    suggestion:
      "Find what was changed of the settings, scripts and modules by which tests run, or that they load, and have every test run and every failure fail verify again.",
  };
}
