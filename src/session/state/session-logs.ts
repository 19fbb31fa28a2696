import type { z } from "zod";
import type { Files } from "../../base/ports/files.ts";
import type { LogName } from "../../base/role.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { logPath, type Home } from "../../fs-protocol/home/home.ts";
import { LOG_SCHEMAS, type RecordOfLog } from "../../fs-protocol/home/logs.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";
import { EMPTY_BUILDER } from "./builder-state.ts";
import { foldBuilder } from "./fold-builder.ts";
import { EMPTY_HUMAN, foldHuman } from "./fold-human.ts";
import { EMPTY_JUDGE, foldJudge } from "./fold-judge.ts";
import { EMPTY_PLANNER, foldPlanner } from "./fold-planner.ts";
import { EMPTY_SUPERVISOR, foldSupervisor } from "./fold-supervisor.ts";

/** How the records of one log are folded. */
interface Folding<S extends z.ZodType, F> {
  readonly schema: S;
  /** The state before the first record. */
  readonly empty: F;
  readonly reduce: (state: F, record: z.output<S>) => F;
}

/** Returns how each log is folded. */
export function logFolds({ policy }: { readonly policy: Policy }) {
  return {
    planner: folding(LOG_SCHEMAS.planner, EMPTY_PLANNER, foldPlanner),
    builder: folding(LOG_SCHEMAS.builder, EMPTY_BUILDER, (state, record) =>
      foldBuilder(state, record, policy),
    ),
    reviewer: folding(LOG_SCHEMAS.reviewer, EMPTY_JUDGE, foldJudge),
    tester: folding(LOG_SCHEMAS.tester, EMPTY_JUDGE, foldJudge),
    supervisor: folding(LOG_SCHEMAS.supervisor, EMPTY_SUPERVISOR, foldSupervisor),
    human: folding(LOG_SCHEMAS.human, EMPTY_HUMAN, foldHuman),
  };
}

function folding<S extends z.ZodType, F>(
  schema: S,
  empty: F,
  reduce: (state: F, record: z.output<S>) => F,
): Folding<S, F> {
  return { schema, empty, reduce };
}

/** The folded state of each log of a session. */
export type LogStates = {
  readonly [L in LogName]: ReturnType<typeof logFolds>[L]["empty"];
};

/** Receives the records of every log as they are read. */
interface RecordListener {
  listener(log: LogName): {
    readonly onRecord: (record: RecordOfLog<LogName>) => void;
    readonly onRestart: () => void;
  };
}

/**
 * Opens the logs on which decisions are based; each is folded as far as it was read.
 *
 * @param isContinued whether other processes continue the folds
 */
export function sessionLogs(
  files: Files,
  home: Home,
  session: { readonly policy: Policy },
  {
    listeners,
    isContinued,
  }: {
    readonly listeners: readonly RecordListener[];
    readonly isContinued: boolean;
  },
) {
  const folds = logFolds(session);
  const open = <S extends z.ZodType<RecordOfLog<LogName>>, F>(log: LogName, fold: Folding<S, F>) =>
    new LogFold<S, F>({
      ...{ files, path: logPath(home, log), isContinued },
      ...notifyAll(listeners, log),
      ...fold,
    });
  return {
    builder: open("builder", folds.builder),
    planner: open("planner", folds.planner),
    reviewer: open("reviewer", folds.reviewer),
    tester: open("tester", folds.tester),
    human: open("human", folds.human),
    supervisor: open("supervisor", folds.supervisor),
  };
}

/** The logs of a session, each with its fold. */
export type SessionLogs = ReturnType<typeof sessionLogs>;

/** Returns the current folded state of each log. */
export function statesOf(logs: SessionLogs): LogStates {
  return {
    planner: logs.planner.value,
    builder: logs.builder.value,
    reviewer: logs.reviewer.value,
    tester: logs.tester.value,
    supervisor: logs.supervisor.value,
    human: logs.human.value,
  };
}

function notifyAll(
  all: readonly RecordListener[],
  log: LogName,
): ReturnType<RecordListener["listener"]> {
  const listeners = all.map((one) => one.listener(log));
  return {
    onRecord: (record) => {
      for (const { onRecord } of listeners) onRecord(record);
    },
    onRestart: () => {
      for (const { onRestart } of listeners) onRestart();
    },
  };
}
