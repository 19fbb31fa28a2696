import { Subject } from "rxjs";
import { expect, test } from "vitest";
import { EarlyRole } from "../../../src/agents/supervisor/early-role.ts";
import { runSupervisor } from "../../../src/agents/supervisor/run-supervisor.ts";
import { EXIT } from "../../../src/base/exit-code.ts";
import { LeaseHeld } from "../../../src/base/ports/locks.ts";
import type { DaemonCommand } from "../../../src/base/ports/processes.ts";
import { fail, ok } from "../../../src/base/result.ts";
import { homeAt } from "../../../src/fs-protocol/home/home.ts";
import { fakeHub } from "../../fixtures/supervisor/fake-hub.ts";
import { sessionAt } from "../../fixtures/supervisor/session-at.ts";
import { memoryPorts, type MemoryPorts } from "../memory-ports.ts";

const DIRECTORY = "/home-of-a-session";
const home = homeAt(DIRECTORY);

/** Ports that note, in order, what becomes of a daemon and of the supervisor's lease, which another process holds. */
class Noting {
  readonly seen: string[] = [];
  readonly started: DaemonCommand[] = [];
  readonly ports: MemoryPorts;
  end: (code: number) => void = () => undefined;

  constructor({ canStart = true }: { readonly canStart?: boolean } = {}) {
    const ended = new Promise<number>((resolve) => {
      this.end = resolve;
    });
    const gate = {
      open: () => void this.seen.push("opened"),
      close: () => void this.seen.push("closed"),
    };
    const ports = memoryPorts();
    this.ports = Object.assign(ports, {
      processes: {
        ...ports.processes,
        daemon: (command: DaemonCommand) => {
          this.seen.push("started");
          this.started.push(command);
          const failure = { kind: "spawn", executable: "node", errno: "EAGAIN" } as const;
          return canStart ? ok({ pid: 1, ended, gate }) : fail(failure);
        },
      },
      locks: {
        ...ports.locks,
        takeLease: (path: string) => {
          this.seen.push("lease");
          return Promise.resolve(fail(LeaseHeld({ path, holder: undefined })));
        },
      },
    });
  }

  early(): EarlyRole {
    const command = { argv: () => ["wisp", "agent"] as const, cwd: DIRECTORY, env: {} };
    return new EarlyRole({ ports: this.ports, home, role: "planner", command });
  }

  supervise({ hasGates = true } = {}): Promise<number> {
    return runSupervisor(this.ports, {
      ...{ home, session: sessionAt(DIRECTORY), hub: fakeHub, pid: 1, hasGates },
      ...{ roleArgv: (role) => ["wisp", "agent", role], env: {}, stop$: new Subject() },
    });
  }
}

test("the planner of a new session is started before the supervisor's lease, and ends unbegun if that is refused", async () => {
  const noting = new Noting();
  noting.ports.files.makeDirectory(home.plans);
  expect(await noting.supervise()).toBe(EXIT.leaseHeld);
  expect(noting.seen).toEqual(["started", "lease", "closed"]);
  expect(noting.started).toMatchObject([
    {
      argv: ["wisp", "agent", "planner", "--when-told"],
      isGated: true,
      mark: `${DIRECTORY}#planner`,
    },
  ]);
});

test.each([
  ["was supervised before", home.supervisorLog],
  ["has a plan", `${home.plans}/a.md`],
])("no process is started early in a session that %s", async (_, path) => {
  const noting = new Noting();
  noting.ports.files.makeDirectory(home.logs);
  noting.ports.files.makeDirectory(home.plans);
  noting.ports.files.create(path, Buffer.from(""));
  expect(await noting.supervise()).toBe(EXIT.leaseHeld);
  expect(noting.seen).toEqual(["lease"]);
});

test("no process is started early where roles have no gates", async () => {
  const noting = new Noting();
  noting.ports.files.makeDirectory(home.plans);
  expect(await noting.supervise({ hasGates: false })).toBe(EXIT.leaseHeld);
  expect(noting.seen).toEqual(["lease"]);
});

test("an early process begins once, and cannot be dismissed afterwards", () => {
  const noting = new Noting();
  const early = noting.early();
  expect(early.begin()?.daemon.pid).toBe(1);
  expect(early.begin()).toBeUndefined();
  early.dismiss();
  expect(noting.seen).toEqual(["started", "opened"]);
});

test("an early process that ended, was dismissed or could not be started does not begin", async () => {
  const ended = new Noting();
  const first = ended.early();
  ended.end(1);
  await Promise.resolve();
  expect(first.begin()).toBeUndefined();
  const dismissed = new Noting().early();
  dismissed.dismiss();
  expect(dismissed.begin()).toBeUndefined();
  expect(new Noting({ canStart: false }).early().begin()).toBeUndefined();
});
