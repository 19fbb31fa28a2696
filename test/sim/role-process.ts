import { dirname, join } from "node:path";
import { builderMain } from "../../src/agents/builder/main.ts";
import { openSessionReader } from "../../src/session/state/session-reader.ts";
import { guardedFiles } from "../../src/home/own-files.ts";
import { WriteFence } from "../../src/home/write-fence.ts";
import { createJournal } from "../../src/work/journal.ts";
import { plannerMain } from "../../src/agents/planner/main.ts";
import { reviewerMain } from "../../src/agents/reviewer/main.ts";
import type { Ports, RoleContext } from "../../src/work/role-context.ts";
import type { RoleSnapshots } from "../../src/fs-protocol/home/role-snapshots.ts";
import { runRole, type RoleEnd } from "../../src/work/run-role.ts";
import { testerMain } from "../../src/agents/tester/main.ts";
import type { Sandbox } from "../../src/base/ports/sandbox.ts";
import type { Clone, Hub } from "../../src/base/ports/repo.ts";
import { ok } from "../../src/base/result.ts";
import type { Role } from "../../src/base/role.ts";
import type { SessionState } from "../../src/session/state/session-state.ts";
import type { Engine } from "../../src/engines/engine.ts";
import { createCommandEngine } from "../../src/engines/command/command.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { copyPath } from "../../src/fs-protocol/home/copy-path.ts";
import { roleLog, type Home } from "../../src/fs-protocol/home/home.ts";
import { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { coordinateTurns } from "../../src/session/steps/coordinate.ts";
import { simTrees } from "./sim-trees.ts";
import type { Life } from "./simulator.ts";

/** One process of a role. */
export class RoleProcess implements Life {
  readonly name: string;
  readonly role: Role;
  readonly stop = new AbortController();
  isAlive = true;
  /** Changing system calls that remain until it dies. */
  callsLeft: number;
  /** Whether its last decision was to wait, and it has not read its files since. */
  isWaiting = false;
  /** Logs that changed, and the time by which a waiting role must have read them. */
  readonly due = new Map<string, number>();

  constructor(role: Role, number: number, callsLeft: number) {
    this.role = role;
    this.name = `${role}#${String(number)}`;
    this.callsLeft = callsLeft;
  }

  /** It reads a log now: whether it was only waiting, and is too late. */
  looksLate(path: string, nowMs: number): boolean {
    const dueMs = this.due.get(path) ?? Infinity;
    this.due.delete(path);
    return this.isWaiting && nowMs > dueMs;
  }
}

/** The simulated world of one role's process. */
export interface RoleWorld {
  readonly ports: Ports;
  readonly home: Home;
  readonly session: SessionJson;
  readonly hub: Hub;
  readonly clone: (lane: number) => Clone;
  /** The clone at the path of a verify tree. */
  readonly tree: (directory: string) => Clone;
  /** The files in it. */
  readonly workAt: (directory: string) => Map<string, string>;
  /** Absent: commands are not confined. */
  readonly sandbox: Sandbox | undefined;
  /** Absent: a program of the user's own. */
  readonly engines: SimEngines | undefined;
  readonly random: () => number;
}

/** The engines of a role, the first one first. */
export type SimEngines = (ports: Ports, role: Role) => readonly Engine[];

/** Runs the shipped role in a process with simulated ports. */
export function runProcess(process: RoleProcess, world: RoleWorld): Promise<RoleEnd> {
  const { home, session, hub, clone, tree: treeAt, workAt, sandbox, random } = world;
  const { role, stop } = process;
  const guarded = { role, home, session, files: world.ports.files, clock: world.ports.clock };
  const ports: Ports = { ...world.ports, files: guardedFiles(guarded) };
  const snapshots: RoleSnapshots = (kept) => ({
    path: join(dirname(copyPath(session, `${role}Log`)), `${kept}.snapshot`),
    key: () => kept,
    // After each few records.
    worthBytes: 500,
  });
  const { name, turnTimeoutMs } = session.engines[role];
  const ownProgram = () => createCommandEngine({ ...ports, name, argv: ["engine"], env: {} });
  const context = {
    home,
    session: { ...session, turnTimeoutMs },
    ports,
    hub,
    clone: (lane = 0) => Promise.resolve(clone(lane)),
    trees: simTrees({ role, home, session, ports, signal: stop.signal }, clone(0), {
      ...{ treeAt, workAt },
    }),
    sandbox,
    engines: world.engines?.(ports, role) ?? [ownProgram()],
    reader: openSessionReader({
      ...{ files: ports.files, hub, home, session },
      place: snapshots("folds"),
    }),
    snapshots,
    templates: { render: (purpose: string, values: object) => JSON.stringify([purpose, values]) },
    reviewers: () => Promise.resolve(ok(REVIEWERS)),
    env: {},
    pid: 1,
    signal: stop.signal,
    random,
  };
  return RUN[role]({ process, context });
}

/** One reviewer at each commit, three at the end of each milestone. */
const REVIEWERS = [
  { name: "correctness", level: "blocking", when: "both", prompt: "Find defects." },
  { name: "security", level: "blocking", when: "milestone", prompt: "Find holes." },
  { name: "docs", level: "blocking", when: "milestone", prompt: "Find lies." },
] as const;

type Shared = Omit<RoleContext, "role" | "journal">;

interface Run {
  readonly process: RoleProcess;
  readonly context: Shared;
}

const RUN: { readonly [R in Role]: (run: Run) => Promise<RoleEnd> } = {
  planner: ({ process, context: shared }) => {
    const role = "planner";
    const journal = createJournal(shared.ports, roleLog(shared.home, role), PlannerRecord);
    const context = { ...shared, role, journal } as const;
    const main = plannerMain(context);
    return runRole({ context, main, ...fenceOf(shared), ...loopOf(process, "planner") });
  },
  builder: ({ process, context: shared }) => {
    const role = "builder";
    const journal = createJournal(shared.ports, roleLog(shared.home, role), BuilderRecord);
    const context = { ...shared, role, journal } as const;
    return runRole({
      ...{ context, main: builderMain(context) },
      ...fenceOf(shared),
      ...loopOf(process, "builder"),
    });
  },
  reviewer: ({ process, context: shared }) => {
    const role = "reviewer";
    const journal = createJournal(shared.ports, roleLog(shared.home, role), ReviewerRecord);
    const context = { ...shared, role, journal } as const;
    return runRole({
      ...{ context, main: reviewerMain(context) },
      ...fenceOf(shared),
      ...loopOf(process, "reviewer"),
    });
  },
  tester: ({ process, context: shared }) => {
    const role = "tester";
    const journal = createJournal(shared.ports, roleLog(shared.home, role), TesterRecord);
    const context = { ...shared, role, journal } as const;
    return runRole({
      ...{ context, main: testerMain(context) },
      ...fenceOf(shared),
      ...loopOf(process, "tester"),
    });
  },
};

function fenceOf({ ports, home }: Shared) {
  return { fence: new WriteFence(ports.files, home) };
}

/** The shipped decision, which notes whether it was to wait. */
function loopOf<R extends Role>(process: RoleProcess, role: R) {
  let decisions = 0;
  return {
    decide: (state: SessionState, nowMs: number) => {
      const step = coordinateTurns(role, state, nowMs);
      decisions += 1;
      // The first decision comes before the preparations, which take time.
      process.isWaiting = step.kind === "wait" && decisions > 1;
      return step;
    },
    interrupt: () => {
      process.stop.abort();
    },
  };
}
