import { abbreviate, type Oid } from "../../base/oid.ts";
import { BUG_OUTPUT_TAIL_CHARS_MAX, FINDING_TEXT_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { findingId } from "../../fs-protocol/findings/finding-id.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { FinalVerify } from "../../fs-protocol/records/final-verify.ts";
import { commandKey } from "../verify/command-key.ts";

type Commands = Pick<SessionJson, "verify">;

const CATEGORY = "Verify";

/** The id of the bug that verify is red at the end: one per session, whatever fails. */
export function redVerifyId({ verify }: Commands): string {
  const anchor = `verify ${commandKey(verify)}`;
  return findingId({ kind: "bug", category: CATEGORY, file: undefined, anchor, brief: anchor });
}

/** The result of a red verify. */
export interface RedVerify {
  readonly at: Oid;
  readonly failing: readonly string[];
  /** The end of the output, cleaned. */
  readonly tail: string;
}

/** The bug that verify is worse than at the base. Only verify itself can close it. */
export function redVerify(
  { verify, base }: Pick<SessionJson, "verify" | "base">,
  { at, failing, tail }: RedVerify,
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
    category: CATEGORY,
    brief: "The verify commands fail on the finished branch",
    issue: clean(issue.filter((line) => line !== "").join("\n"), FINDING_TEXT_CHARS_MAX),
    suggestion:
      "Find what broke them, and repair it there. Tests stay as they are unless they are wrong.",
    command: clean(command, FINDING_TEXT_CHARS_MAX),
    output: clean(tail.slice(-BUG_OUTPUT_TAIL_CHARS_MAX), BUG_OUTPUT_TAIL_CHARS_MAX),
    computed: { of: "verify", start: base, end: at, m: "" },
  };
}

const NAMES_MAX = 20;

/** The result of verify at the start of a final pass, for its prompt. */
export function verifiedText(
  { verify }: Commands,
  verified: { readonly verify: FinalVerify } | undefined,
): string {
  const commands = verify.map((words) => `\`${words.join(" ")}\``).join(", then ");
  const ran = `wisp ran the project's verify commands (${commands}) on this commit`;
  switch (verified?.verify) {
    case undefined:
    case "nosuite":
      return "";
    case "passed":
      return `${ran}: they pass.`;
    case "asbase":
      return `${ran}: they fail as they did before the work began.`;
    case "excused":
      return `${ran}: they fail, and a person has said that this is no bug.`;
    case "red":
      return `${ran}: they fail. That is on record as a bug already: do not report it again.`;
  }
}
