import type { Unusual } from "../../evidence/unusual/find-unusual.ts";
import { unusualLines } from "../../evidence/unusual/unusual-lines.ts";
import { minute } from "../../fs-protocol/findings/entry-text.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import type { KeptEdit } from "../status/kept-edits.ts";
import { row, cleanSpan, type Row } from "../rows/row.ts";
import { namedRows, type Fact } from "../rows/table.ts";
import { count } from "../../base/words/sentence.ts";
import type { Looked } from "../../workspace/finished/verified-at.ts";
import type { SensitiveChange } from "../../workspace/finished/sensitive-changes.ts";
import { differsLines } from "../status/differs-elsewhere.ts";
import { sensitiveLines } from "../status/sensitive-words.ts";
import type { StatusView } from "../status/status-view.ts";
import type { VerifyOutcome } from "./verify-outcome.ts";
import { NOTHING_VERIFIED, withNothingVerified } from "../../session/rules/nothing-verified.ts";
import { shellWord } from "../../base/words/shell-word.ts";

/** What `wisp done --json` prints; fields are added, never renamed or removed. */
export interface DoneView {
  readonly schema: "wisp.done/1";
  readonly session: string;
  readonly branch: string;
  readonly head: string;
  /** True if nothing has been done yet. */
  readonly isDryRun: boolean;
  /** When the same work was shipped before, as ISO 8601, and what was left to do; absent if it was not shipped. */
  readonly takenBefore?: string | undefined;
  readonly leftToDo?: readonly string[] | undefined;
  /** Commits that were added to the branch since, and that are not part of the shipped work. */
  readonly later?: string | undefined;
  /** Whether the checked-out branch already contains the shipped work. */
  readonly isMerged?: boolean | undefined;
  /** The remote that the work is pushed to; absent if it is not pushed. */
  readonly remote: string | undefined;
  /** What became of the person's pre-push hook, and why it was not run; absent if nothing was pushed or there is none. */
  readonly hook?: "passed" | "not-run" | undefined;
  readonly hookSays?: string | undefined;
  /** What the record says about a remote that the work should be at but is not. */
  readonly remoteSays?: string | undefined;
  /** URL of the pull request, or, if there is none, of the page that opens one. */
  readonly pullRequest: string | undefined;
  readonly page: string | undefined;
  readonly title: string;
  readonly body: string;
  /** Whether to show the title and body, because the person has to open the pull request. */
  readonly isBodyShown: boolean;
  readonly milestones: number;
  /** The last outcome of the verify commands. */
  readonly verify: VerifyOutcome;
  /** Of that result; see `Looked`. */
  readonly looks?: Looked["looks"];
  readonly split?: Looked["split"];
  /** See `StatusView`. */
  readonly nothingVerified?: true | undefined;
  /** See `StatusView`. */
  readonly differs?: StatusView["differs"];
  /** See `StatusView`. */
  readonly meanwhile?: StatusView["meanwhile"];
  /** How many complete revisions the work includes. */
  readonly revisions: number;
  /** Files that can run code outside the session, with their commits. */
  readonly sensitive: readonly SensitiveChange[];
  /** What is unusual about the commits. */
  readonly unusual: readonly Unusual[];
  /** Edits by others to files of the home that nobody has dealt with; they are not part of the work. */
  readonly edits: readonly KeptEdit[];
  /** Path of the notes on the request. */
  readonly changes: string | undefined;
  /** Refs that keep commits that are on no branch. */
  readonly rescues: readonly string[];
  /** Clones that were not removed. */
  readonly left: readonly string[];
}

const VERIFY_WORDS: Readonly<Record<VerifyOutcome, string>> = {
  passed: "all green",
  "no-worse": "verify fails no worse than before",
  excused: "verify fails, and you dismissed the bug about it",
  none: NOTHING_VERIFIED,
};

/** What became of the work, and what the person still has to do. */
export function doneRows(view: DoneView): readonly Row[] {
  const { branch, head, remote, pullRequest, page, remoteSays, changes, later } = view;
  const name = shellWord(branch);
  const pushed =
    remote === undefined ? "nowhere: it is only in this repository" : `to ${shellWord(remote)}`;
  const facts: readonly Fact[] = [
    ["branch", `${name} at ${shortSha(head)}`],
    ["pushed", pushed],
    ...hookFacts(view),
    ...factIf("remote", remoteSays),
    ...factIf("request", pullRequest),
    ...factIf("open it", page),
    ...factIf("notes", changes),
    ...(view.meanwhile ?? []).map((line): Fact => ["see to", cleanSpan("plain", line)]),
    ...sensitiveLines(view.sensitive).map((line): Fact => ["look at", line]),
    ...unusualLines(view.unusual).map((line): Fact => ["look at", line]),
    ...differsLines(view.differs).map((line): Fact => ["look at", cleanSpan("plain", line)]),
    ...view.edits.map(({ copy, says }): Fact => [
      "edited",
      cleanSpan("plain", `${says}; kept as ${copy}`),
    ]),
    ...view.rescues.map((ref): Fact => ["kept", `${ref}: work that is on no branch`]),
    ...view.left.map((path): Fact => ["left", `${path}: the branch is gone, so it stays`]),
    ...factIf("later", later),
    ...(remote === undefined && view.isMerged !== true
      ? factIf("merge it", `git merge ${later === undefined ? name : head}`)
      : []),
  ];
  const verdict = view.takenBefore === undefined ? newVerdict(view) : againVerdict(view);
  const body = view.isBodyShown ? ["", view.title, "", ...view.body.split("\n")] : [];
  return [
    row(verdict),
    ...namedRows(facts, { widthMin: NAME_CELLS }),
    ...body.map((text) => row(text)),
  ];
}

function hookFacts({ hook, hookSays = "" }: DoneView): readonly Fact[] {
  if (hook === undefined) return [];
  if (hook === "passed") return [["hook", "pre-push hook passed"]];
  return [["hook", cleanSpan("plain", `pre-push hook not run: ${hookSays}`)]];
}

function factIf(name: string, value: string | undefined): readonly Fact[] {
  return value === undefined ? [] : [[name, value]];
}

const NAME_CELLS = 8;

function newVerdict({ session, isDryRun, milestones, revisions, verify }: DoneView): string {
  if (!isDryRun) return `${withNothingVerified(`${session} is done`, verify === "none")}.`;
  const revised = revisions === 0 ? "" : `, ${count(revisions, "revision")}`;
  return `${session} can be shipped: ${count(milestones, "milestone")}${revised}, ${VERIFY_WORDS[verify]}. Nothing has been done yet.`;
}

/** Work that was shipped is not shipped a second time. */
function againVerdict({ session, isDryRun, verify, ...view }: DoneView): string {
  const { takenBefore = "", leftToDo = [] } = view;
  const shipped = `${session} was already shipped, on ${minute(takenBefore)}`;
  const taken = withNothingVerified(shipped, verify === "none");
  const left = leftToDo.join(", ");
  if (left === "") return `${taken}: nothing ${isDryRun ? "is" : "was"} left to do.`;
  return isDryRun
    ? `${taken}. Left to do: ${left}. Nothing has been done yet.`
    : `${taken}. Done now: ${left}.`;
}
