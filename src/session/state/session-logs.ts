import type { Files } from "../../base/ports/files.ts";
import type { Role, LogName } from "../../base/role.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { logPath, type Home } from "../../fs-protocol/home/home.ts";
import type { RecordOfLog } from "../../fs-protocol/home/logs.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { logFolds } from "./log-folds.ts";

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
    readonly onRecord: (record: RecordOfLog<"supervisor">) => void;
    readonly onRestart: () => void;
  };
}

type RoleRecord = RecordOfLog<Role>;

/** All logs of a session that a decision is made from, each folded as far as it was read. */
export function sessionLogs(
  files: Files,
  home: Home,
  session: Pick<SessionJson, "policy">,
  listeners: Listeners,
) {
  const folds = logFolds(session);
  const at = (log: LogName) => ({ files, path: logPath(home, log) });
  const told = (role: Role) => ({ ...at(role), ...tellAll(listeners.roles, role) });
  return {
    builder: new LogFold({ ...told("builder"), ...folds.builder }),
    planner: new LogFold({ ...told("planner"), ...folds.planner }),
    reviewer: new LogFold({ ...told("reviewer"), ...folds.reviewer }),
    tester: new LogFold({ ...told("tester"), ...folds.tester }),
    human: new LogFold({ ...at("human"), ...folds.human }),
    supervisor: new LogFold({
      ...at("supervisor"),
      ...listeners.supervisor,
      ...folds.supervisor,
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

/** The logs of a session, each with its fold. */
export type SessionLogs = ReturnType<typeof sessionLogs>;
