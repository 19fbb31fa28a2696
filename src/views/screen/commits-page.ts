import { DIFF_SHOWN_LINES_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import { localTime } from "../../base/words/local-time.ts";
import { count } from "../../base/words/sentence.ts";
import { shown } from "../../base/words/shown.ts";
import type { RangeCommit } from "../../git/repository/diffs.ts";
import { answeredCommits } from "../../session/state/answered-commits.ts";
import { placeOf, type SessionState } from "../../session/state/session-state.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import { diffRows } from "../rows/diff-rows.ts";
import { cleanSpan, row, span, type Row } from "../rows/row.ts";
import { table } from "../rows/table.ts";
import type { GitCommit } from "../why/commit-rows.ts";
import type { ListPage, TextPage } from "./page-facts.ts";

/** Where a commit stands in its session. */
export interface CommitStanding {
  readonly review: "reviewed" | "not reviewed" | "given up";
  /** The milestone in whose range it is; undefined if that is not on record. */
  readonly milestone: string | undefined;
}

type Recorded = Pick<SessionState, "branch" | "reviewer" | "builder">;

/** Where each commit of the session's branch stands. */
export function commitStandings(state: Recorded): (sha: Oid) => CommitStanding {
  const { branch, reviewer, builder } = state;
  const answered = new Set(answeredCommits(state));
  const last = placeOf(branch, reviewer.checkpoint);
  return (sha) => {
    const at = placeOf(branch, sha);
    const milestone = builder.milestones.find(
      ({ start, end }) => placeOf(branch, start) < at && at <= placeOf(branch, end),
    );
    const unanswered = at > last ? "not reviewed" : "given up";
    return { review: answered.has(sha) ? "reviewed" : unanswered, milestone: milestone?.name };
  };
}

const REVIEW_STYLES = { reviewed: "good", "not reviewed": "faint", "given up": "ask" } as const;

/** The commits of a session, newest first. */
export function commitsPage(commits: readonly RangeCommit[], state: Recorded): ListPage {
  const newest = [...commits].reverse();
  const standing = commitStandings(state);
  const rows = table(
    newest.map(({ sha, subject }) => {
      const { review, milestone } = standing(sha);
      const part = milestone === undefined ? "" : `  (${shown(milestone)})`;
      return [
        span("strong", shortSha(sha)),
        span(REVIEW_STYLES[review], review),
        row(cleanSpan("plain", subject), span("faint", part)),
      ];
    }),
  );
  return {
    kind: "list",
    page: { kind: "commits" },
    title: newest.length === 0 ? "Commits" : `Commits: ${count(newest.length, "commit")}`,
    rows,
    items: newest.map(({ sha }) => ({ id: sha, acts: ["open"] })),
    ifNone: "The session's branch has no commits of its own yet.",
  };
}

/** A commit with its diff. */
export interface ShownCommit extends CommitStanding {
  readonly sha: Oid;
  /** Undefined if git does not have it. */
  readonly git: GitCommit | undefined;
  /** The beginning of its diff, and whether that is all of it. */
  readonly diff: string;
  readonly isWhole: boolean;
}

/** One commit: what it is, and what it changes. */
export function commitPage(commit: ShownCommit): TextPage {
  const { sha, git, review, milestone, diff, isWhole } = commit;
  const lines = diff === "" ? [] : diff.replace(/\n$/u, "").split("\n");
  const cut = !isWhole || lines.length > DIFF_SHOWN_LINES_MAX;
  const part = milestone === undefined ? "" : `, in ${shown(milestone)}`;
  return {
    kind: "text",
    page: { kind: "commit", id: sha },
    title: `Commit ${shortSha(sha)}`,
    lines: [
      ...headRows(sha, git),
      row(span(REVIEW_STYLES[review], review), part),
      row(span("faint", `How it came about: wisp why ${shortSha(sha)}`)),
      row(""),
      ...diffRows(lines.slice(0, DIFF_SHOWN_LINES_MAX)),
      ...(cut ? [row(span("ask", `The diff goes on. All of it: git show ${shortSha(sha)}`))] : []),
    ],
    item: undefined,
  };
}

function headRows(sha: Oid, git: GitCommit | undefined): readonly Row[] {
  if (git === undefined) return [row(span("ask", `git does not have ${shortSha(sha)} any more.`))];
  const { subject, author, time } = git;
  return [
    row(span("strong", shown(subject))),
    row(span("faint", `${sha}, by ${shown(author)}, ${localTime(time)}`)),
  ];
}
