import type { Files } from "../../base/ports/files.ts";
import type { Role } from "../../base/role.ts";
import { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER } from "./builder-state.ts";
import { foldBuilder } from "./fold-builder.ts";
import { EMPTY_HUMAN, foldHuman } from "./fold-human.ts";
import { EMPTY_JUDGE, foldJudge } from "./fold-judge.ts";
import { EMPTY_PLANNER, foldPlanner } from "./fold-planner.ts";
import { EMPTY_SUPERVISOR, foldSupervisor } from "./fold-supervisor.ts";
import { roleLog, type Home } from "../../fs-protocol/home/home.ts";
import { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { PlannerRecord } from "../../fs-protocol/records/planner-log.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";
import { ReviewerRecord } from "../../fs-protocol/records/reviewer-log.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { SupervisorRecord } from "../../fs-protocol/records/supervisor-log.ts";
import { TesterRecord } from "../../fs-protocol/records/tester-log.ts";

/** Somebody who is told of the records of each role. */
interface Listening {
  listener(role: Role): {
    readonly onRecord: (record: RoleRecord) => void;
    readonly onRestart: () => void;
  };
}

/** Who is told of what is read. */
interface Listeners {
  readonly roles: readonly Listening[];
  readonly supervisor: {
    readonly onRecord: (record: SupervisorRecord) => void;
    readonly onRestart: () => void;
  };
}

type RoleRecord = BuilderRecord | PlannerRecord | ReviewerRecord | TesterRecord;

/** All logs of a session that a decision is made from, each folded as far as it was read. */
export function sessionLogs(
  files: Files,
  home: Home,
  { policy }: SessionJson,
  listeners: Listeners,
) {
  const told = (role: Role) => tellAll(listeners.roles, role);
  return {
    ...roleLogs(files, home, { policy, told }),
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
      ...listeners.supervisor,
      schema: SupervisorRecord,
      empty: EMPTY_SUPERVISOR,
      reduce: foldSupervisor,
    }),
  };
}

interface RoleLogs {
  readonly policy: Policy;
  readonly told: (role: Role) => ReturnType<Listening["listener"]>;
}

function roleLogs(files: Files, home: Home, { policy, told }: RoleLogs) {
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
  };
}

function tellAll(listening: readonly Listening[], role: Role): ReturnType<Listening["listener"]> {
  const listeners = listening.map((one) => one.listener(role));
  return {
    onRecord: (record) => {
      for (const { onRecord } of listeners) onRecord(record);
    },
    onRestart: () => {
      for (const { onRestart } of listeners) onRestart();
    },
  };
}
