import type { FileFailure, Files } from "../base/files.ts";
import type { GitFailure, Hub } from "../base/repo.ts";
import { ok, type Result } from "../base/result.ts";
import type { Role } from "../base/role.ts";
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
import { branchOf, type Branch, type SessionState, type SessionTurns } from "./session-state.ts";
import { SupervisorRecord } from "./supervisor-log.ts";
import { TesterRecord } from "./tester-log.ts";
import { TurnLedger } from "./turn-ledger.ts";

/** What reading a session may fail with. */
export type ReadFailure = FileFailure | GitFailure;

/** Reads a session's logs and branch, again and again, each time only what is new. */
export interface SessionReader {
  /** Reads every log to its end, then the branch, and folds. The first time it looks at the branch before, too. */
  read(): Promise<Result<SessionState, ReadFailure>>;
  /** Reads every log to its end, as cheap as that is, for what matters to the next turn. */
  readTurns(): Result<SessionTurns & Pick<SessionState, "human">, FileFailure>;
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
  const ledger = new TurnLedger();
  const logs = sessionLogs(files, home, session, [troubles, ledger]);
  const turns = turnsOf(session, ledger);
  let branch: Branch | undefined;
  const readBranch = async (): Promise<Result<Branch, GitFailure>> => {
    const head = await hub.head(session.branch);
    if (branch !== undefined && head === branch.head) return ok(branch);
    if (head === undefined) return ok((branch = branchOf(session.base, undefined, [])));
    const commits = await hub.commits(session.base, head);
    if (!commits.ok) return commits;
    return ok((branch = branchOf(session.base, head, commits.value)));
  };
  const readLogs = (): Result<void, FileFailure> => {
    for (const log of Object.values(logs)) {
      const refreshed = log.refresh();
      if (!refreshed.ok) return refreshed;
    }
    return ok(undefined);
  };
  return {
    async read() {
      // Of the first read nothing is known from one before.
      const known = branch === undefined ? await readBranch() : ok(branch);
      if (!known.ok) return known;
      const settled = known.value.commits.length;
      const refreshed = readLogs();
      if (!refreshed.ok) return refreshed;
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
        turns,
      });
    },
    readTurns: () => {
      const refreshed = readLogs();
      return refreshed.ok ? ok({ ...turns, human: logs.human.value }) : refreshed;
    },
    quarantined: () => Object.values(logs).flatMap((log) => log.quarantined),
    troubles: () => troubles.value,
  };
}

/** Somebody who is told of the records of each role. */
interface Listening {
  listener(role: Role): {
    readonly onRecord: (record: RoleRecord) => void;
    readonly onRestart: () => void;
  };
}

type RoleRecord = BuilderRecord | PlannerRecord | ReviewerRecord | TesterRecord;

/** Everything that matters to whether there may be another turn. */
function turnsOf({ engines, budget }: SessionJson, facts: TurnLedger): SessionTurns {
  const namesOf = ({ name, fallbacks = [] }: SessionJson["engines"][Role]) => [
    name,
    ...fallbacks.map((fallback) => fallback.name),
  ];
  return {
    facts,
    engines: {
      planner: namesOf(engines.planner),
      builder: namesOf(engines.builder),
      reviewer: namesOf(engines.reviewer),
      tester: namesOf(engines.tester),
    },
    budget: budget ?? { session: {}, milestone: {} },
  };
}

function sessionLogs(
  files: Files,
  home: Home,
  { policy }: SessionJson,
  listening: readonly Listening[],
) {
  const told = (role: Role) => {
    const listeners = listening.map((one) => one.listener(role));
    return {
      onRecord: (record: RoleRecord) => {
        for (const { onRecord } of listeners) onRecord(record);
      },
      onRestart: () => {
        for (const { onRestart } of listeners) onRestart();
      },
    };
  };
  return {
    builder: new LogFold({
      files,
      path: roleLog(home, "builder"),
      ...told("builder"),
      schema: BuilderRecord,
      empty: EMPTY_BUILDER,
      reduce: (fold, record) => foldBuilder(fold, record, policy),
    }),
    planner: new LogFold({
      files,
      path: roleLog(home, "planner"),
      ...told("planner"),
      schema: PlannerRecord,
      empty: EMPTY_PLANNER,
      reduce: foldPlanner,
    }),
    reviewer: new LogFold({
      files,
      path: roleLog(home, "reviewer"),
      ...told("reviewer"),
      schema: ReviewerRecord,
      empty: EMPTY_JUDGE,
      reduce: foldJudge,
    }),
    tester: new LogFold({
      files,
      path: roleLog(home, "tester"),
      ...told("tester"),
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
