import { BUG_OUTPUT_TAIL_CHARS_MAX, FINDING_TEXT_CHARS_MAX } from "../../base/limits.ts";
import { abbreviate } from "../../base/oid.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { redVerifyId, VERIFY_CATEGORY, verifyHead } from "../verify/verify-head.ts";
import type { EndRule, SeenEnd } from "./evidence-rule.ts";

/** Verify is worse at the end of the session than at its base. Only verify itself can close it. */
export const redVerify: EndRule = {
  kind: "verify",
  role: "tester",
  mayChangeTests: false,
  restoresTests: false,
  find: ({ verified, ...seen }) =>
    verified?.verify === "red" ? [redVerifyBug(seen, verified)] : [],
  async findAgain(context, state, { unit, at }) {
    const seen = await verifyHead(context, state, { unit, at });
    if (seen.kind !== "verified") return seen;
    if (seen.verify !== "red") return { kind: "done", value: { kind: "closed" } };
    const reason = `verify is still red: ${seen.tail.slice(-REASON_TAIL_CHARS)}`;
    return { kind: "done", value: { kind: "reopened", reason } };
  },
};

/** How much of the end of the output a reason may hold. */
const REASON_TAIL_CHARS = 800;
const NAMES_MAX = 20;

function redVerifyBug(
  { session: { verify, base }, at }: Omit<SeenEnd, "verified">,
  { failing, tail }: Pick<NonNullable<SeenEnd["verified"]>, "failing" | "tail">,
): Finding {
  const command = verify.map((words) => words.join(" ")).join("\n");
  const clean = (text: string, charsMax: number) => cleanText(text, { charsMax, lines: "many" });
  const named = failing.slice(0, NAMES_MAX).map((name) => `- ${name}`);
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
    brief: "The verify commands fail on the finished branch",
    issue: clean(issue.filter((line) => line !== "").join("\n"), FINDING_TEXT_CHARS_MAX),
    suggestion:
      "Find what broke them, and repair it there. Tests stay as they are unless they are wrong.",
    command: clean(command, FINDING_TEXT_CHARS_MAX),
    output: clean(tail.slice(-BUG_OUTPUT_TAIL_CHARS_MAX), BUG_OUTPUT_TAIL_CHARS_MAX),
    computed: { of: "verify", start: base, end: at, m: "" },
  };
}
