import { CannotGoOn } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import { ROLES, type Role } from "../../base/role.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import { isHolderAlive, readHolder } from "../../host/locks/lease-holder.ts";
import type { World } from "../../workspace/world.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

interface Stays {
  readonly session: string;
  readonly alive: readonly string[];
}

/** Processes of a session did not end in time. */
export const StillAtWork = refusal("still-at-work", EXIT.leaseHeld, ({ session, alive }: Stays) => [
  `These processes of ${shown(session)} are still running: ${alive.map(shown).join(", ")}.`,
  "They were asked to end. When they have ended, run the command again:",
  "wisp status",
]);
export type StillAtWork = ReturnType<typeof StillAtWork>;

/** Engines get 10 s to end before they are killed; then their role exits. */
const LEAVE_MS_MAX = 30_000;
const LOOK_MS = 100;

/**
 * Ends all processes of a session: the supervisor is interrupted as by Ctrl-C, which ends the
 * roles; roles without a supervisor are interrupted directly. Waits until no lease is held.
 */
export async function endSession(
  { host }: Pick<World, "host">,
  { home, session }: FoundSession,
): Promise<void> {
  const endsMs = host.clock.nowMs() + LEAVE_MS_MAX;
  const asked = new Set<Role | "supervisor">();
  for (;;) {
    const alive = await readLeases(host, home);
    if (alive.size === 0) return;
    if (host.clock.nowMs() > endsMs) {
      throw new CannotGoOn(StillAtWork({ session: session.id, alive: [...alive] }));
    }
    const next = alive.has("supervisor") ? (["supervisor"] as const) : ROLES;
    const due = next.filter((holder) => alive.has(holder) && !asked.has(holder));
    due.filter((holder) => interrupt(host, home, holder)).forEach((holder) => asked.add(holder));
    await host.clock.sleep(LOOK_MS);
  }
}

function interrupt(
  { files, processes }: World["host"],
  home: Home,
  holder: Role | "supervisor",
): boolean {
  const recorded = readHolder(files, leasePath(home, holder));
  if (recorded === undefined || !isHolderAlive(recorded)) return false;
  return processes.signal(recorded.pid, "SIGTERM");
}
