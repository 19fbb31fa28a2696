import type { Unusual } from "../../agents/unusual/find-unusual.ts";
import { unusualLines } from "../../agents/unusual/unusual-lines.ts";
import { minute } from "../../fs-protocol/findings/entry-text.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import type { KeptEdit } from "../status/kept-edits.ts";
import { row, cleanSpan, type Row } from "../rows/row.ts";
import { namedRows, type Fact } from "../rows/table.ts";
import { count } from "../../base/words/sentence.ts";
import type { SensitiveChange } from "../../workspace/finished/sensitive-changes.ts";
import { sensitiveLines } from "../status/sensitive-words.ts";
import type { VerifyOutcome } from "./verify-outcome.ts";
import { shellWord } from "../../base/words/shell-word.ts";

/** What `wisp done --json` prints; fields are added, never renamed or removed. */
export interface DoneView {
  readonly schema: "wisp.done/1";
  readonly session: string;
  readonly branch: string;
  readonly head: string;
  /** Nothing was done yet. */
  readonly isDryRun: boolean;
  /** When the same was taken before, as ISO 8601, and what of it was left to do; absent: it was not. */
  readonly takenBefore?: string | undefined;
  readonly leftToDo?: readonly string[] | undefined;
  /** Commits that came to the branch since, and that are no part of it. */
  readonly later?: string | undefined;
  /** What is checked out holds what was taken before. */
  readonly isMerged?: boolean | undefined;
  /** Where it is pushed to; absent: nowhere. */
  readonly remote: string | undefined;
  /** What is on record of a remote that the work is not at, though it was to be. */
  readonly remoteSays?: string | undefined;
  /** Address of the pull request, and, where there is none, of the page that opens one. */
  readonly pullRequest: string | undefined;
  readonly page: string | undefined;
  readonly title: string;
  readonly body: string;
  /** Whether a person needs title and body. */
  readonly isBodyShown: boolean;
  readonly milestones: number;
  /** What the verify commands said of it last. */
  readonly verify: VerifyOutcome;
  /** Complete ones, whose work is in it. */
  readonly revisions: number;
  /** Files that have something run outside of the session, with their commits. */
  readonly sensitive: readonly SensitiveChange[];
  /** What is unusual about the commits. */
  readonly unusual: readonly Unusual[];
  /** What somebody else wrote into files of the home and nobody has seen to: it is no part of the work. */
  readonly edits: readonly KeptEdit[];
  /** Where the notes on the request are. */
  readonly changes: string | undefined;
  /** References that keep what no branch holds. */
  readonly rescues: readonly string[];
  /** Clones that were not removed. */
  readonly left: readonly string[];
}

const VERIFY_WORDS: Readonly<Record<VerifyOutcome, string>> = {
  passed: "all green",
  "no-worse": "verify fails no more than before",
  excused: "verify fails, and you dismissed the bug about it",
  none: "no verify command",
};

/** What became of the work, and what is left for the person. */
export function doneRows(view: DoneView): readonly Row[] {
  const { branch, head, remote, pullRequest, page, remoteSays, changes, later } = view;
  const name = shellWord(branch);
  const pushed =
    remote === undefined ? "nowhere: it is in this repository alone" : `to ${shellWord(remote)}`;
  const facts: readonly Fact[] = [
    ["branch", `${name} at ${shortSha(head)}`],
    ["pushed", pushed],
    ...told("remote", remoteSays),
    ...told("request", pullRequest),
    ...told("open it", page),
    ...told("notes", changes),
    ...sensitiveLines(view.sensitive).map((line): Fact => ["look at", line]),
    ...unusualLines(view.unusual).map((line): Fact => ["look at", line]),
    ...view.edits.map(({ copy, says }): Fact => [
      "edited",
      cleanSpan("plain", `${says}; kept as ${copy}`),
    ]),
    ...view.rescues.map((ref): Fact => ["kept", `${ref}: work that no branch holds`]),
    ...view.left.map((path): Fact => ["left", `${path}: the branch is gone, so it stays`]),
    ...told("later", later),
    ...(remote === undefined && view.isMerged !== true
      ? told("take it", `git merge ${later === undefined ? name : head}`)
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

function told(name: string, value: string | undefined): readonly Fact[] {
  return value === undefined ? [] : [[name, value]];
}

const NAME_CELLS = 8;

function newVerdict({ session, isDryRun, milestones, revisions, verify }: DoneView): string {
  if (!isDryRun) return `${session} is done.`;
  const revised = revisions === 0 ? "" : `, ${count(revisions, "revision")}`;
  return `${session} can be taken: ${count(milestones, "milestone")}${revised}, ${VERIFY_WORDS[verify]}. Nothing was done yet.`;
}

/** What was taken is not done a second time. */
function againVerdict({ session, isDryRun, takenBefore = "", leftToDo = [] }: DoneView): string {
  const taken = `${session} was taken already, on ${minute(takenBefore)}`;
  const left = leftToDo.join(", ");
  if (left === "") return `${taken}: nothing ${isDryRun ? "is" : "was"} left to do.`;
  return isDryRun
    ? `${taken}. Left to do: ${left}. Nothing was done yet.`
    : `${taken}. Done now: ${left}.`;
}
