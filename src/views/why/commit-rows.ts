import { localTime } from "../../base/words/local-time.ts";
import { count } from "../../base/words/sentence.ts";
import { shown } from "../../base/words/shown.ts";
import { describeUnit, quoted, shortSha } from "../../workspace/session/describe-unit.ts";
import { inBlocks, row, span, type Row } from "../rows/row.ts";
import type { CommitStory, Making } from "./commit-story.ts";
import { furtherRight, itemRows, section, stepRows, turnRows } from "./step-rows.ts";

/** A commit as git has it; texts are as written by its author. */
export interface GitCommit {
  readonly subject: string;
  readonly author: string;
  /** ISO 8601. */
  readonly time: string;
  /** The paths that it changes. */
  readonly files: readonly string[];
}

/** What is known of a commit. */
interface Told {
  readonly sha: string;
  readonly git: GitCommit | null;
  /** Null if no record names it. */
  readonly story: CommitStory | null;
  /** The sessions that were searched, after "No record of". */
  readonly searched: string;
}

/** The explanation of a commit: what git says of it and, if a session's records name it, what they say. */
export function commitRows({ sha, git, story, searched }: Told): readonly Row[] {
  const head = headRows(sha, git);
  if (story === null) {
    const sentence = `No record of ${searched} names this commit: no turn is known to have made it.`;
    return inBlocks([head, [row(sentence)]]);
  }
  const { making, reviews, verifies, nextVerify, tests } = story;
  return inBlocks([
    head,
    making === null ? [row(notMadeWords(story, git))] : makingRows(making, story),
    section("Reviews", stepRows(reviews), "No review of it is on record."),
    section("Verify", stepRows(verifies), "No run of verify at this very commit is on record."),
    nextVerify === null
      ? []
      : section("Next run of verify, at a later commit", stepRows([nextVerify])),
    section("Tests", stepRows(tests), "No test of it is on record."),
    section("Findings", findingRows(story), "No finding about it is on record."),
  ]);
}

function headRows(sha: string, git: GitCommit | null): readonly Row[] {
  if (git === null) {
    return [
      row(span("strong", `Commit ${shortSha(sha)}`)),
      row(span("faint", `${sha}; git does not have it any more`)),
    ];
  }
  const { subject, author, time } = git;
  return [
    row(span("strong", `Commit ${shortSha(sha)}`), `  ${shown(subject)}`),
    row(span("faint", `${sha}, by ${shown(author)}, ${localTime(time)}`)),
  ];
}

function notMadeWords(story: CommitStory, git: GitCommit | null): string {
  const { isBase, isOnBranch } = story;
  const said =
    git === null
      ? "No turn of the session is on record as having made it."
      : `${shown(git.author)} wrote it, and no turn of the session is on record as having made it.`;
  if (isBase) return `${said} The session began at it.`;
  if (isOnBranch === null) return `${said} The session's branch is gone, or could not be read.`;
  return isOnBranch
    ? `${said} It is on the session's branch: a person or another program put it there.`
    : `${said} It is not among the commits that the session's branch has after its base.`;
}

function makingRows(making: Making, { isOnBranch, milestone }: CommitStory): readonly Row[] {
  const { role, unit, turns, end, commits, ticks, fixes } = making;
  const others = commits.length - 1;
  const did = ticks.map(({ milestone: of, task, text }) =>
    row(`task ${String(task)} of ${quoted(of)}${text === null ? "" : `: ${shown(text)}`}`),
  );
  return [
    ...section(`Made by the ${role}, ${describeUnit(unit)}`, [
      ...(milestone === null || isSaid(unit, milestone)
        ? []
        : [row(`for the milestone ${quoted(milestone)}`)]),
      ...turnRows(turns),
      ...(end === null ? [row(span("ask", NO_END))] : stepRows([end])),
      ...(isOnBranch === false ? [row(span("ask", NOT_ON_BRANCH))] : []),
      ...(others > 0 ? [row(`The same unit made ${count(others, "other commit")}.`)] : []),
    ]),
    ...(did.length === 0 ? [] : [row("  It ticked:"), ...furtherRight(furtherRight(did))]),
    ...(fixes.length === 0
      ? []
      : [row("  It fixed:"), ...furtherRight(furtherRight(itemRows(fixes)))]),
  ];
}

/** Whether the words for a unit name its milestone already. */
function isSaid(unit: string, milestone: string): boolean {
  return describeUnit(unit).includes(quoted(milestone));
}

const NO_END =
  "The end of this unit is not on record: it announced the commit, and is still running or was interrupted.";
const NOT_ON_BRANCH =
  "The session's branch does not have it now: the branch was rewritten, or the commit never got there.";

function findingRows({ findings, otherFindings }: CommitStory): readonly Row[] {
  const found = itemRows(findings);
  if (otherFindings === 0) return found;
  const none = row("No finding about a file that it changes is on record.");
  const others = `The same reviews and tests opened ${count(otherFindings, "other finding")}, about files that it does not change.`;
  return [...(found.length === 0 ? [none] : found), row(span("faint", others))];
}
