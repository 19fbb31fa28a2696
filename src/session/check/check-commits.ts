import type { Oid } from "../../base/oid.ts";
import type { HomeIssue, IssuePlace } from "../../fs-protocol/home/home-issue.ts";
import type { Entry, HomeLogs, LogContent } from "../../fs-protocol/home/logs.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";

/** What git says of the commits that a home names. */
export interface CommitAnswers {
  /** HEAD; undefined when the branch is gone. */
  readonly head: Oid | undefined;
  /** Places of the commits on the branch, the base's 0. A commit before the base has none. */
  readonly places: ReadonlyMap<string, number>;
  /** Those that the repository has without their being on the branch after the base. */
  readonly elsewhere: ReadonlySet<string>;
}

/** A commit that has to be on the session branch, where it is named first. */
export interface RecordedCommit extends IssuePlace {
  readonly sha: string;
}

/**
 * The commits that have to be on the branch: those in ends, ranges, checkpoints and passes, each
 * once. What an intent names may never have come there, nor what was verified before it was published.
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

/** Whether the recorded commits are there and on the branch, and milestones do not run backwards. */
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
    // Without a branch there is one thing to say, not one for each commit.
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
