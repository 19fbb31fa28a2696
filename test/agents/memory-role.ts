import type { z } from "zod";
import { createJournal } from "../../src/work/journal.ts";
import type { RecordOf, RoleContext } from "../../src/work/role-context.ts";
import type { Oid } from "../../src/base/oid.ts";
import type { Clone, Hub } from "../../src/base/ports/repo.ts";
import { ok } from "../../src/base/result.ts";
import type { Role } from "../../src/base/role.ts";
import type { TurnRequest } from "../../src/engines/engine.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER } from "../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import { EMPTY_HUMAN, foldHuman } from "../../src/session/state/fold-human.ts";
import { EMPTY_JUDGE, foldJudge } from "../../src/session/state/fold-judge.ts";
import { EMPTY_PLANNER, foldPlanner } from "../../src/session/state/fold-planner.ts";
import { EMPTY_SUPERVISOR } from "../../src/session/state/fold-supervisor.ts";
import { homeAt, roleLog } from "../../src/fs-protocol/home/home.ts";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { createSessionReader } from "../../src/session/state/session-reader.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { branchOf, type SessionState } from "../../src/session/state/session-state.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import type { Reviewer } from "../../src/settings/reviewers/reviewer.ts";
import type { Script } from "../rig/in-process-session.ts";
import { ofKind, readRecords } from "../rig/read-log.ts";
import { SESSION } from "../rig/session.ts";
import { fakeClone } from "./fake-clone.ts";
import { memoryPorts, type MemoryPorts } from "./memory-ports.ts";
import { memoryTrees } from "./memory-trees.ts";

/** The records of a session, by log. */
export interface Logs {
  readonly planner?: readonly PlannerRecord[];
  readonly builder?: readonly BuilderRecord[];
  readonly reviewer?: readonly ReviewerRecord[];
  readonly tester?: readonly TesterRecord[];
  readonly human?: readonly HumanRecord[];
  /** Commits of the session branch after its base. */
  readonly commits?: readonly Oid[];
}

/** The state of a session with these records. */
export function stateOf(logs: Logs = {}): SessionState {
  const { policy, base } = SESSION;
  const { planner = [], builder = [], reviewer = [], tester = [], human = [], commits = [] } = logs;
  return {
    policy,
    planner: planner.reduce(foldPlanner, EMPTY_PLANNER),
    builder: builder.reduce((fold, record) => foldBuilder(fold, record, policy), EMPTY_BUILDER),
    reviewer: reviewer.reduce(foldJudge, EMPTY_JUDGE),
    tester: tester.reduce(foldJudge, EMPTY_JUDGE),
    human: human.reduce(foldHuman, EMPTY_HUMAN),
    supervisor: EMPTY_SUPERVISOR,
    branch: branchOf(base, commits.at(-1) ?? base, commits),
  };
}

/** A role with a fake machine, clone and model, and a real journal. */
export interface MemoryRole<R extends Role> {
  readonly context: RoleContext<R>;
  readonly ports: MemoryPorts;
  readonly asked: TurnRequest[];
  readonly stop: AbortController;
  readonly records: () => readonly RecordOf[R][];
  readonly recordsOf: <K extends RecordOf[R]["kind"]>(
    kind: K,
  ) => readonly Extract<RecordOf[R], { readonly kind: K }>[];
}

export interface MemoryRoleOptions {
  readonly clone?: Clone | undefined;
  readonly hub?: Partial<Hub> | undefined;
  readonly session?: Partial<SessionJson> | undefined;
}

const SCHEMAS: { readonly [R in Role]: z.ZodType<RecordOf[R]> } = {
  planner: PlannerRecord,
  builder: BuilderRecord,
  reviewer: ReviewerRecord,
  tester: TesterRecord,
};

const HOME = homeAt("/repository/.wisp/sessions/demo");

/** Looks at everything. */
const CORRECTNESS: Reviewer = {
  name: "correctness",
  level: "blocking",
  when: "both",
  prompt: "Find defects.",
};

/** Makes the role. A prompt is the JSON of its template's values. */
export function memoryRole<R extends Role>(
  role: R,
  script: Script,
  { clone = fakeClone(`/state/demo/${role}/clone`), hub, session }: MemoryRoleOptions = {},
): MemoryRole<R> {
  const ports = memoryPorts();
  const asked: TurnRequest[] = [];
  const stop = new AbortController();
  const path = roleLog(HOME, role);
  const schema = SCHEMAS[role];
  const madeUp: Hub = {
    directory: SESSION.repository,
    head: async () => SESSION.base,
    commits: async () => ok([]),
    ...hub,
  };
  const machine = {
    role,
    home: HOME,
    session: { ...SESSION, ...session },
    ports,
    env: {},
    signal: stop.signal,
  };
  const context: RoleContext<R> = {
    ...machine,
    trees: memoryTrees(machine, async () => clone),
    hub: madeUp,
    reader: createSessionReader(ports.files, madeUp, HOME, { ...SESSION, ...session }),
    clone: async () => clone,
    engines: [
      {
        name: "script",
        turn: async (request) => {
          asked.push(request);
          return script(request);
        },
      },
    ],
    journal: createJournal<z.ZodType<RecordOf[R]>>(ports, path, schema),
    templates: { render: (purpose, values) => JSON.stringify({ template: purpose, ...values }) },
    reviewers: () => Promise.resolve(ok([CORRECTNESS])),
    pid: 1,
    random: () => 0,
  };
  const records = () => readRecords<RecordOf[R]>(ports.files, path, schema);
  return {
    context,
    ports,
    asked,
    stop,
    records,
    recordsOf: (kind) => ofKind(records(), kind),
  };
}
