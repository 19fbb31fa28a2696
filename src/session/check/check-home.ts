import { ROLES, type Role } from "../../base/role.ts";
import { checkBlocks, type BlocksFile } from "./check-blocks.ts";
import { checkCommits, recordedCommits, type CommitAnswers } from "./check-commits.ts";
import { checkPlans, type PlanFiles } from "./check-plans.ts";
import { checkProjection, type ProjectionFile } from "./check-projection.ts";
import { checkRanges } from "./check-ranges.ts";
import { checkReferences } from "./check-references.ts";
import { checkUnits } from "./check-units.ts";
import { EMPTY_HUMAN, foldHuman, reopens } from "../state/fold-human.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { HomeIssue } from "../../fs-protocol/home/home-issue.ts";
import type { HomeLogs, LogContent } from "../../fs-protocol/home/logs.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";

/** The roles that add blocks to PROGRESS.txt. */
const WRITERS: readonly Role[] = ["builder", "reviewer", "tester"];

/** The roles whose processes are running: files that only they write may be behind for a moment. */
export type Live = ReadonlySet<Role | "supervisor">;

/** A projection and the roles that write it. */
export interface OwnedProjection extends ProjectionFile {
  readonly owners: readonly Role[];
}

/** Everything that a home is judged by; read beforehand, so that the check itself is pure. */
export interface HomeFacts {
  readonly home: Home;
  readonly session: SessionJson;
  /** The logs to be checked. */
  readonly logs: HomeLogs;
  /** The logs read a second time, later: records in `logs` may refer to records in these. */
  readonly known: HomeLogs;
  /** Roles that were running before or after the files were read. */
  readonly live: Live;
  readonly projections: readonly OwnedProjection[];
  readonly progress: BlocksFile;
  readonly plans: PlanFiles;
  /**
   * The current and the expected text of TASKS.md; undefined if the file is missing, or if the
   * expected text is not known.
   */
  readonly tasks: string | undefined;
  readonly expectedTasks: string | undefined;
  /**
   * The current and the expected text of `.stuck-hint.md`; undefined if the file is missing, or if
   * none is expected.
   */
  readonly stuckHint: string | undefined;
  readonly expectedHint: string | undefined;
  /** TASKS.md contains an edit that no builder wrote and no record names. */
  readonly isTasksEdited: boolean;
  /** SHA-256 of request.md; undefined if the file is missing. */
  readonly requestDigest: string | undefined;
  readonly commits: CommitAnswers;
}

/** Checks a home against docs/PROTOCOL.md and returns an issue for each deviation. */
export function checkHome(facts: HomeFacts): readonly HomeIssue[] {
  const { home, session, logs, known, commits } = facts;
  const recorded = recordedCommits(logs, session, home.sessionJson);
  return [
    ...checkId(facts),
    ...checkRequest(facts),
    ...checkLogs(facts),
    ...checkRanges(logs.builder, session.base),
    ...checkReferences(logs, known),
    ...checkCommits(recorded, logs, session, commits),
    ...checkPlans(logs, facts.plans),
    ...checkProjections(facts),
    ...checkTasks(facts),
    ...checkHint(facts),
  ];
}

function checkId({ home, session }: HomeFacts): readonly HomeIssue[] {
  const { id } = session;
  if (home.directory.endsWith(`/${id}`)) return [];
  return [{ kind: "id-differs", path: home.sessionJson, id }];
}

function checkRequest({ home, logs, requestDigest }: HomeFacts): readonly HomeIssue[] {
  const path = home.request;
  if (requestDigest === undefined) return [{ kind: "request-missing", path }];
  const updates = logs.human.entries.flatMap(({ record }) =>
    record.kind === "update" ? [record.sha256] : [],
  );
  const newest = updates.at(-1);
  if (newest === undefined || newest === requestDigest) return [];
  return [{ kind: "request-differs", path }];
}

function checkLogs({ logs, live }: HomeFacts): readonly HomeIssue[] {
  const isOver = isSessionOver(logs);
  const all: readonly LogContent<unknown>[] = Object.values(logs);
  return [
    ...all.flatMap(({ bad }) => bad),
    ...ROLES.flatMap((role) => checkUnits(role, logs[role], { isLive: live.has(role), isOver })),
    ...ROLES.filter((role) => !live.has(role)).flatMap((role) => torn(logs[role])),
    ...(live.has("supervisor") ? [] : torn(logs.supervisor)),
    // Any command may be writing to human.log; while no role runs, none does.
    ...(live.size > 0 ? [] : torn(logs.human)),
  ];
}

function torn({ path, tornBytes }: LogContent<unknown>): readonly HomeIssue[] {
  return tornBytes === undefined ? [] : [{ kind: "torn-tail", path, offsetBytes: tornBytes }];
}

/** Whether the builder has ended the session and nothing has reopened it since. */
function isSessionOver({ builder, human }: HomeLogs): boolean {
  const last = builder.entries
    .map(({ record }) => record)
    .findLast(({ kind }) => kind === "done" || kind === "reopen");
  if (last?.kind !== "done") return false;
  const humanFold = human.entries.reduce(
    (fold, { record }) => foldHuman(fold, record),
    EMPTY_HUMAN,
  );
  return !reopens(humanFold, last);
}

function checkProjections({ projections, progress, live }: HomeFacts): readonly HomeIssue[] {
  const idle = projections.filter(({ owners }) => !owners.some((owner) => live.has(owner)));
  const isProgressIdle = WRITERS.every((role) => !live.has(role));
  return [...idle.flatMap(checkProjection), ...(isProgressIdle ? checkBlocks(progress) : [])];
}

function checkTasks(facts: HomeFacts): readonly HomeIssue[] {
  const { home, live, tasks, expectedTasks, isTasksEdited } = facts;
  if (isTasksEdited && !live.has("builder")) return [{ kind: "tasks-edited", path: home.tasks }];
  if (live.has("builder") || expectedTasks === undefined || expectedTasks === tasks) return [];
  return [{ kind: "tasks-differ", path: home.tasks }];
}

function checkHint({ home, live, stuckHint, expectedHint }: HomeFacts): readonly HomeIssue[] {
  if (live.has("builder") || expectedHint === undefined || expectedHint === stuckHint) return [];
  return [{ kind: "hint-differs", path: home.stuckHint }];
}
