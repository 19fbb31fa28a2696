import type { FileFailure, Files } from "../base/files.ts";
import type { GitFailure, Hub } from "../base/repo.ts";
import { ok, type Result } from "../base/result.ts";
import { BuilderRecord } from "./builder-log.ts";
import { EMPTY_BUILDER } from "./builder-state.ts";
import { foldBuilder } from "./fold-builder.ts";
import { EMPTY_HUMAN, foldHuman } from "./fold-human.ts";
import { EMPTY_JUDGE, foldJudge } from "./fold-judge.ts";
import { EMPTY_PLANNER, foldPlanner } from "./fold-planner.ts";
import { EMPTY_SUPERVISOR, foldSupervisor } from "./fold-supervisor.ts";
import { roleLog, type Home } from "./home.ts";
import { HumanRecord } from "./human-log.ts";
import { LogFold, type Quarantined } from "./log-fold.ts";
import { PlannerRecord } from "./planner-log.ts";
import { ReviewerRecord } from "./reviewer-log.ts";
import { RoleTroubles, type Troubles } from "./role-troubles.ts";
import type { SessionJson } from "./session-json.ts";
import { branchOf, type Branch, type SessionState } from "./session-state.ts";
import { SupervisorRecord } from "./supervisor-log.ts";
import { TesterRecord } from "./tester-log.ts";

/** What reading a session may fail with. */
export type ReadFailure = FileFailure | GitFailure;

/** Reads a session's logs and branch, again and again, each time only what is new. */
export interface SessionReader {
  /** Reads every log to its end, then the branch, and folds. The first time it looks at the branch before, too. */
  read(): Promise<Result<SessionState, ReadFailure>>;
  /** Lines passed over so far. */
  quarantined(): readonly Quarantined[];
  /** What the roles' processes say of their own troubles with files. */
  troubles(): Troubles;
}

/** Makes a reader that has read nothing yet. */
export function createSessionReader(
  files: Files,
  hub: Hub,
  home: Home,
  session: SessionJson,
): SessionReader {
  const troubles = new RoleTroubles();
  const logs = sessionLogs(files, home, session, troubles);
  let branch: Branch | undefined;
  const readBranch = async (): Promise<Result<Branch, GitFailure>> => {
    const head = await hub.head(session.branch);
    if (branch !== undefined && head === branch.head) return ok(branch);
    if (head === undefined) return ok((branch = branchOf(session.base, undefined, [])));
    const commits = await hub.commits(session.base, head);
    if (!commits.ok) return commits;
    return ok((branch = branchOf(session.base, head, commits.value)));
  };
  return {
    async read() {
      // Of the first read nothing is known from one before.
      const known = branch === undefined ? await readBranch() : ok(branch);
      if (!known.ok) return known;
      const settled = known.value.commits.length;
      for (const log of Object.values(logs)) {
        const refreshed = log.refresh();
        if (!refreshed.ok) return refreshed;
      }
      // After the logs: so the branch holds every commit that they name.
      const fresh = await readBranch();
      if (!fresh.ok) return fresh;
      return ok({
        policy: session.policy,
        builder: logs.builder.value,
        planner: logs.planner.value,
        reviewer: logs.reviewer.value,
        tester: logs.tester.value,
        human: logs.human.value,
        supervisor: logs.supervisor.value,
        branch: { ...fresh.value, settled: Math.min(settled, fresh.value.commits.length) },
      });
    },
    quarantined: () => Object.values(logs).flatMap((log) => log.quarantined),
    troubles: () => troubles.value,
  };
}

function sessionLogs(files: Files, home: Home, { policy }: SessionJson, troubles: RoleTroubles) {
  return {
    builder: new LogFold({
      files,
      path: roleLog(home, "builder"),
      ...troubles.listener("builder"),
      schema: BuilderRecord,
      empty: EMPTY_BUILDER,
      reduce: (fold, record) => foldBuilder(fold, record, policy),
    }),
    planner: new LogFold({
      files,
      path: roleLog(home, "planner"),
      ...troubles.listener("planner"),
      schema: PlannerRecord,
      empty: EMPTY_PLANNER,
      reduce: foldPlanner,
    }),
    reviewer: new LogFold({
      files,
      path: roleLog(home, "reviewer"),
      ...troubles.listener("reviewer"),
      schema: ReviewerRecord,
      empty: EMPTY_JUDGE,
      reduce: foldJudge,
    }),
    tester: new LogFold({
      files,
      path: roleLog(home, "tester"),
      ...troubles.listener("tester"),
      schema: TesterRecord,
      empty: EMPTY_JUDGE,
      reduce: foldJudge,
    }),
    human: new LogFold({
      files,
      path: home.humanLog,
      schema: HumanRecord,
      empty: EMPTY_HUMAN,
      reduce: foldHuman,
    }),
    supervisor: new LogFold({
      files,
      path: home.supervisorLog,
      schema: SupervisorRecord,
      empty: EMPTY_SUPERVISOR,
      reduce: foldSupervisor,
    }),
  };
}
