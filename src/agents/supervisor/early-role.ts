import { join } from "node:path";
import type { Daemon, SpawnFailure } from "../../base/ports/processes.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { Ports } from "../../work/role-context.ts";
import { daemonMark } from "./daemon-mark.ts";
import { WaitingDaemon } from "./waiting-daemon.ts";

/** The command that starts a role's process. */
export interface RoleCommand {
  readonly argv: (role: Role) => readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A role's process, and where its output begins. */
export interface StartedRole {
  readonly daemon: Daemon;
  readonly logPath: string;
  readonly outputBytes: number;
}

/** The role, and how its process is started. */
export interface RoleToStart {
  readonly ports: Pick<Ports, "files" | "processes">;
  readonly home: Home;
  readonly role: Role;
  readonly command: RoleCommand;
}

/** The word that makes a role's process wait at its gate. */
const GATED_OPTION = "--when-told";

/** Starts a role's process, which takes the lease by itself; one with a gate does so only after it was let through. */
export function spawnRole(
  { ports, home, role, command: { argv, cwd, env } }: RoleToStart,
  { isGated }: { readonly isGated: boolean },
): Result<StartedRole, SpawnFailure> {
  const logPath = join(home.logs, `${role}.out`);
  const outputBytes = ports.files.stat(logPath)?.sizeBytes ?? 0;
  const words = argv(role);
  const daemon = ports.processes.daemon({
    argv: isGated ? [...words, GATED_OPTION] : words,
    ...{ cwd, env, logPath, isGated, mark: daemonMark(home, role) },
  });
  return daemon.ok ? ok({ daemon: daemon.value, logPath, outputBytes }) : daemon;
}

/**
 * A role's process that is started before the supervisor knows whether it needs it: it loads its code while the
 * supervisor takes its lease and reads the session.
 */
export class EarlyRole {
  readonly role: Role;
  readonly #started: Omit<StartedRole, "daemon"> | undefined;
  readonly #waiting: WaitingDaemon | undefined;

  constructor(start: RoleToStart) {
    this.role = start.role;
    const started = spawnRole(start, { isGated: true });
    // If it cannot be started now, the failure is reported when the role is due.
    if (!started.ok) return;
    this.#started = started.value;
    this.#waiting = new WaitingDaemon(started.value.daemon);
  }

  /** Lets the process begin. Undefined if there is none any more; then the role is started as usual. */
  begin(): StartedRole | undefined {
    const daemon = this.#waiting?.begin();
    return daemon && this.#started && { ...this.#started, daemon };
  }

  /** Lets the process end if it has not begun. */
  dismiss(): void {
    this.#waiting?.dismiss();
  }
}
