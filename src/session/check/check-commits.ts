import type { Oid } from "../../base/oid.ts";
import type { HomeIssue, IssuePlace } from "../../fs-protocol/home/home-issue.ts";
import type { Entry, HomeLogs, LogContent } from "../../fs-protocol/home/logs.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";

/** What git reports about the commits that a home names. */
export interface CommitAnswers {
  /** Head of the session's branch; undefined if the branch is gone. */
  readonly head: Oid | undefined;
  /** Places of the commits on the branch; the base is 0. Commits before the base have none. */
  readonly places: ReadonlyMap<string, number>;
  /** Commits that the repository contains but that are not on the branch after the base. */
  readonly elsewhere: ReadonlySet<string>;
}

/** A commit that must be on the session's branch, and the first place that names it. */
export interface RecordedCommit extends IssuePlace {
  readonly sha: string;
}

/**
 * Returns the commits that must be on the branch: those named in ends, ranges, checkpoints and
 * passes, each once. Commits of an intent may never have been published, and neither may commits
 * that were only verified.
 */
export function recordedCommits(logs: HomeLogs, session: SessionJson, path: string) {
  const first = new Map<string, RecordedCommit>([[session.base, { sha: session.base, path }]]);
  const named = [logs.builder, logs.reviewer, logs.tester].flatMap(commitsOf);
  for (const commit of named) {
    if (!first.has(commit.sha)) first.set(commit.sha, commit);
  }
  return [...first.values()];
}

function commitsOf({ path, entries }: LogContent<JudgedRecord>): readonly RecordedCommit[] {
  return entries.flatMap(({ record, offsetBytes }) =>
    commitsIn(record).map((sha) => ({ sha, path, offsetBytes })),
  );
}

type JudgedRecord = HomeLogs["builder" | "reviewer" | "tester"]["entries"][number]["record"];

function commitsIn(record: JudgedRecord): readonly string[] {
  switch (record.kind) {
    case "build.end":
      return [...record.commits, ...record.milestones.flatMap(({ start, end }) => [start, end])];
    case "fix.end":
      return record.sha === undefined ? [] : [record.sha];
    case "review.end":
      return record.checkpoint === undefined ? [] : [record.checkpoint];
    case "verify.end":
    case "push.done":
      return [record.sha];
    case "test.end":
      return record.commits;
    case "final.end":
      return [...record.commits, record.at];
    case "final.open":
      return [record.at];
    case "done":
      return [record.head];
    default:
      return [];
  }
}

/**
 * Checks that the recorded commits exist and are on the branch, and that no milestone ends before
 * it starts.
 */
export function checkCommits(
  recorded: readonly RecordedCommit[],
  { builder }: Pick<HomeLogs, "builder">,
  { branch }: Pick<SessionJson, "branch">,
  answers: CommitAnswers,
): readonly HomeIssue[] {
  const { head, places, elsewhere } = answers;
  const missing = recorded.flatMap((commit): readonly HomeIssue[] => {
    const { sha } = commit;
    if (places.has(sha)) return [];
    if (!elsewhere.has(sha)) return [{ ...commit, kind: "commit-missing" }];
    // If the branch is gone, that is reported once and not for each commit.
    return head === undefined ? [] : [{ ...commit, kind: "commit-not-on-branch", branch }];
  });
  const [base] = recorded;
  const gone: readonly HomeIssue[] =
    head === undefined && base !== undefined
      ? [{ kind: "branch-gone", path: base.path, branch }]
      : [];
  return [
    ...gone,
    ...missing,
    ...builder.entries.flatMap((entry) => backwards(entry, builder.path, places)),
  ];
}

function backwards(
  { record, offsetBytes }: Entry<HomeLogs["builder"]["entries"][number]["record"]>,
  path: string,
  places: CommitAnswers["places"],
): readonly HomeIssue[] {
  if (record.kind !== "build.end") return [];
  return record.milestones.flatMap(({ name: milestone, start, end }) => {
    const from = places.get(start);
    const to = places.get(end);
    if (from === undefined || to === undefined || from <= to) return [];
    return [{ kind: "range-backwards" as const, path, offsetBytes, milestone }];
  });
}
