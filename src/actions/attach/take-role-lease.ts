import { CannotGoOn, need } from "../../base/fatal.ts";
import { refuseWrites } from "../../home/write-fence.ts";
import type { Lease } from "../../base/ports/locks.ts";
import type { Role } from "../../base/role.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import { isHolderAlive, readHolder } from "../../host/locks/lease-holder.ts";
import type { World } from "../../workspace/world.ts";
import { StillAtWork } from "../close/end-session.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** Engines get 10 s to end before they are killed; then their role exits. */
const LEAVE_MS_MAX = 30_000;
/** Shorter than starting a process that would take the lease again. */
const LOOK_MS = 20;

/**
 * Interrupts a role's process and takes its lease, so that no other process uses its clone meanwhile. Throws
 * `CannotGoOn` if the home is not written on this machine.
 */
export async function takeRoleLease(
  { host, tell }: World,
  { home, session }: FoundSession,
  role: Role,
): Promise<Lease> {
  const path = leasePath(home, role);
  need(refuseWrites(host.files, home));
  need(host.files.makeDirectory(home.locks));
  const endsMs = host.clock.nowMs() + LEAVE_MS_MAX;
  const asked = new Set<number>();
  for (;;) {
    const lease = await host.locks.takeLease(path);
    if (lease.ok) return owned(host.files, home, lease.value);
    if (lease.failure.kind !== "lease-held") return need(lease);
    if (host.clock.nowMs() > endsMs) {
      throw new CannotGoOn(StillAtWork({ session: session.id, alive: [role] }));
    }
    const holder = readHolder(host.files, path);
    const isNew = holder !== undefined && isHolderAlive(holder) && !asked.has(holder.pid);
    if (isNew && asked.size === 0) tell(`Interrupting the ${role}.`);
    if (isNew) host.processes.signal(holder.pid, "SIGTERM");
    if (isNew) asked.add(holder.pid);
    await host.clock.sleep(LOOK_MS);
  }
}

/** The session may have moved before the lease was taken. */
async function owned(files: World["host"]["files"], home: Home, lease: Lease): Promise<Lease> {
  const allowed = refuseWrites(files, home);
  if (!allowed.ok) await lease.release();
  need(allowed);
  return lease;
}
