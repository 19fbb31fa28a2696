import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { merge, of, Subject } from "rxjs";
import { build } from "tsdown";
import type { z } from "zod";
import { createJournal } from "../../../src/work/journal.ts";
import type { Ports } from "../../../src/work/role-context.ts";
import { runSupervisor } from "../../../src/agents/supervisor/run-supervisor.ts";
import { DEFAULT_TIMING, type Timing } from "../../../src/agents/supervisor/timing.ts";
import type { Hub } from "../../../src/base/ports/repo.ts";
import { present } from "../../../src/base/assert.ts";
import { ROLES, type Role } from "../../../src/base/role.ts";
import { BuilderRecord } from "../../../src/fs-protocol/records/builder-log.ts";
import { homeAt, leasePath, roleLog, type Home } from "../../../src/fs-protocol/home/home.ts";
import { HumanRecord } from "../../../src/fs-protocol/records/human-log.ts";
import { LogFold } from "../../../src/fs-protocol/codec/log-fold.ts";
import { PlannerRecord } from "../../../src/fs-protocol/records/planner-log.ts";
import { SupervisorRecord } from "../../../src/fs-protocol/records/supervisor-log.ts";
import { TesterRecord } from "../../../src/fs-protocol/records/tester-log.ts";
import { createHost } from "../../../src/host/host.ts";
import { identify } from "../../../src/host/processes/process-identity.ts";
import { listPids } from "../../../src/host/processes/run-environments.ts";
import { fakeHub } from "../../fixtures/supervisor/fake-hub.ts";
import { sessionAt } from "../../fixtures/supervisor/session-at.ts";
import { endProcess } from "../../rig/marked-processes.ts";
import { eventually } from "../../rig/patience.ts";
import { ownEnvironment } from "../../rig/own-environment.ts";

/** Short limits, so that tests wait for events and not for time. */
export const QUICK: Timing = {
  ...DEFAULT_TIMING,
  backoffMsMin: 10,
  backoffMsMax: 100,
  idleStartMs: 0,
  stopGraceMs: 400,
  stopPollMs: 20,
};

/** The programs of test/fixtures/supervisor, bundled to run under plain node. */
export interface Programs {
  readonly role: string;
  readonly supervise: string;
}

/** Bundles them into a directory. */
export async function buildPrograms(outDir: string): Promise<Programs> {
  const source = (name: string) =>
    fileURLToPath(new URL(`../../fixtures/supervisor/${name}.ts`, import.meta.url));
  await build({
    entry: { role: source("role"), supervise: source("supervise") },
    outDir,
    config: false,
    format: "esm",
    platform: "node",
    dts: false,
    logLevel: "silent",
    deps: { alwaysBundle: [/^[^./]/], onlyBundle: false },
  });
  return { role: join(outDir, "role.mjs"), supervise: join(outDir, "supervise.mjs") };
}

/** An empty directory of a test. */
export function temporaryDirectory(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "wisp-")));
}

/** A session's home, with the actions of a supervisor's test. */
export class SupervisedHome implements AsyncDisposable {
  readonly home: Home = homeAt(temporaryDirectory());
  readonly ports: Ports = createHost();
  readonly #programs: Programs;
  readonly #stop$ = new Subject<void>();
  readonly #supervisors: Promise<unknown>[] = [];
  readonly #started: number[] = [];

  constructor(programs: Programs) {
    this.#programs = programs;
    for (const path of [this.home.logs, this.home.locks, this.#at("behaviour")]) mkdirSync(path);
  }

  /** How a role's processes behave from now on; see test/fixtures/supervisor/role.ts. */
  behave(role: Role, behaviour: string): void {
    writeFileSync(join(this.#at("behaviour"), role), behaviour);
  }

  /** Runs a supervisor in this process. */
  supervise(
    more: {
      timing?: Timing;
      ports?: Ports;
      hub?: Hub;
      noInput?: boolean;
      isStopped?: boolean;
    } = {},
  ): Promise<number> {
    const { ports = this.ports, hub = fakeHub, timing = QUICK, noInput, isStopped } = more;
    const session = sessionAt(this.home.directory);
    const ended = runSupervisor(ports, {
      home: this.home,
      session,
      hub,
      pid: process.pid,
      roleArgv: (role) => this.roleArgv(role),
      env: ownEnvironment(),
      stop$: isStopped === true ? merge(of(undefined), this.#stop$) : this.#stop$,
      noInput,
      timing,
    });
    this.#supervisors.push(ended);
    return ended;
  }

  roleArgv(role: Role): readonly [string, ...string[]] {
    return [process.execPath, this.#programs.role, this.home.directory, role];
  }

  superviseArgv(): readonly [string, ...string[]] {
    return [process.execPath, this.#programs.supervise, this.home.directory, this.#programs.role];
  }

  /** Starts a role, or a supervisor, in a process of its own, as a person would in a terminal. */
  startByHand([executable, ...args]: readonly [string, ...string[]], env = process.env): number {
    const child = spawn(executable, args, { stdio: "ignore", detached: true, env });
    child.unref();
    const pid = present(child.pid, "a process was started");
    this.#started.push(pid);
    return pid;
  }

  /** As the CLI does on Ctrl-C. */
  signal(): void {
    this.#stop$.next();
  }

  sayAsHuman(...records: readonly HumanRecord[]): void {
    createJournal(this.ports, this.home.humanLog, HumanRecord).append(...records);
  }

  sayAsBuilder(...records: readonly BuilderRecord[]): void {
    createJournal(this.ports, roleLog(this.home, "builder"), BuilderRecord).append(...records);
  }

  sayAsPlanner(...records: readonly PlannerRecord[]): void {
    createJournal(this.ports, roleLog(this.home, "planner"), PlannerRecord).append(...records);
  }

  /** The records of supervisor.log, of one kind. */
  records<K extends SupervisorRecord["kind"]>(
    kind: K,
  ): readonly Extract<SupervisorRecord, { readonly kind: K }>[] {
    const isOfKind = (
      record: SupervisorRecord,
    ): record is Extract<SupervisorRecord, { readonly kind: K }> => record.kind === kind;
    return recordsOf(this.ports, this.home.supervisorLog, SupervisorRecord).filter(isOfKind);
  }

  /** The processes of a role that took its lease, in order. */
  pidsOf(role: Role): readonly number[] {
    return recordsOf(this.ports, roleLog(this.home, role), TesterRecord).flatMap((record) =>
      record.kind === "role.start" ? [record.pid] : [],
    );
  }

  /** The processes of a role that live, with its lease or without. */
  livingOf(role: Role): readonly number[] {
    const words = [this.#programs.role, this.home.directory, role].join("\0");
    return listPids().filter((pid) => commandLineOf(pid).includes(words));
  }

  /** Lets waiting processes (`late`) take the lease. */
  letTakeLease(): void {
    writeFileSync(join(this.#at("behaviour"), "go"), "");
  }

  /** Whether the newest process of a role lives. */
  isRunning(role: Role): boolean {
    const pid = this.pidsOf(role).at(-1);
    return pid !== undefined && identify(pid) !== undefined;
  }

  /** The roles whose newest process lives. */
  running(): readonly Role[] {
    return ROLES.filter((role) => this.isRunning(role));
  }

  /** Processes with the run id of a role of this session. */
  leftovers(): readonly number[] {
    return listPids().filter((pid) =>
      environmentOf(pid).includes(`WISP_RUN_ID=${this.home.directory}#`),
    );
  }

  isLeaseHeld(holder: Role | "supervisor"): Promise<boolean> {
    return this.ports.locks.isLeaseHeld(leasePath(this.home, holder));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop$.next();
    this.#stop$.next();
    await Promise.allSettled(this.#supervisors);
    const ofRoles = ROLES.flatMap((role) => [...this.pidsOf(role), ...this.livingOf(role)]);
    const all = [...ofRoles, ...this.#started, ...this.leftovers()];
    const pids = all.filter((pid) => pid !== process.pid);
    pids.forEach(endProcess);
    // A killed process may complete a write until it is gone, to a directory that is being removed.
    await until(() => pids.every((pid) => identify(pid) === undefined));
    rmSync(this.home.directory, { recursive: true, force: true });
  }

  #at(name: string): string {
    return join(this.home.directory, name);
  }
}

/** Waits until a condition holds. */
export async function until(claim: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(async () => {
    if (!(await claim())) throw new Error(`not yet: ${claim.toString()}`);
  });
}

function recordsOf<S extends z.ZodType>(
  { files }: Ports,
  path: string,
  schema: S,
): readonly z.output<S>[] {
  const records: z.output<S>[] = [];
  const log = new LogFold({
    files,
    path,
    schema,
    empty: undefined,
    reduce: () => undefined,
    onRecord: (record) => records.push(record),
  });
  log.refresh();
  return records;
}

function environmentOf(pid: number): string {
  return textOfProcess(pid, "environ");
}

function commandLineOf(pid: number): string {
  return textOfProcess(pid, "cmdline");
}

function textOfProcess(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}
