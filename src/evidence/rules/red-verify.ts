import { FINDING_TEXT_CHARS_MAX } from "../../base/limits.ts";
import { abbreviate } from "../../base/oid.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { failureExcerpt, failureLine, namedTests } from "../verify/failure-report.ts";
import { redVerifyId, VERIFY_CATEGORY, verifyHead } from "../verify/verify-head.ts";
import type { EndRule, SeenEnd } from "./evidence-rule.ts";

/** Verify is worse at the end of the session than at its base. Only verify itself can close it. */
export const redVerify: EndRule = {
  kind: "verify",
  role: "tester",
  mayChangeTests: false,
  restoresTests: false,
  find: ({ verified, ...seen }) =>
    verified?.verify === "red" ? [redVerifyBug(seen, verified.red)] : [],
  async findAgain(context, state, { unit, at }) {
    const seen = await verifyHead(context, state, { unit, at });
    if (seen.kind !== "verified") return seen;
    if (seen.verify !== "red") return { kind: "done", value: { kind: "closed" } };
    const reason = seen.red === undefined ? "" : `: ${failureLine(seen.red)}`;
    return { kind: "done", value: { kind: "reopened", reason: `verify is still red${reason}` } };
  },
};

const NAMES_MAX = 20;
/** The brief is a title in lists, and the subject of the commit that fixes it. */
const NAMES_IN_BRIEF_MAX = 2;

function redVerifyBug(
  { session: { verify, base }, at }: Omit<SeenEnd, "verified">,
  red: NonNullable<SeenEnd["verified"]>["red"],
): Finding {
  const command = verify.map((words) => words.join(" ")).join("\n");
  const clean = (text: string, charsMax: number) => cleanText(text, { charsMax, lines: "many" });
  const failing = red?.names ?? [];
  const named = failing.slice(0, NAMES_MAX).map((name) => `- ${name}`);
  const which = failing.length === 0 ? "" : `: ${namedTests(failing, NAMES_IN_BRIEF_MAX)}`;
  const issue = [
    `The project's verify commands were run on ${abbreviate(at)}, on nothing but the commit, and are red. At the base of the session they were not, or not in this.`,
    ...named,
    failing.length > named.length ? `- and ${String(failing.length - named.length)} more` : "",
  ];
  return {
    id: redVerifyId({ verify }),
    level: "blocking",
    reviewer: "tester",
    category: VERIFY_CATEGORY,
    brief: `The verify commands fail on the finished branch${which}`,
    issue: clean(issue.filter((line) => line !== "").join("\n"), FINDING_TEXT_CHARS_MAX),
    suggestion:
      "Find what broke them, and repair it there. Tests stay as they are unless they are wrong.",
    command: clean(command, FINDING_TEXT_CHARS_MAX),
    output: red === undefined ? "" : failureExcerpt(red),
    computed: { of: "verify", start: base, end: at, m: "" },
  };
}
