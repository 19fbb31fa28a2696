import type { FileFailure } from "../../base/ports/files.ts";
import type { Lease, LeaseHeld } from "../../base/ports/locks.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { ROLES } from "../../base/role.ts";
import { refuseWrites, type NotWrittenHere } from "../../home/write-fence.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import type { Host } from "../../host/host.ts";

/**
 * Runs an action while holding the leases of the supervisor and of all roles, so that no other
 * process works on the session. Fails with the holder if a lease is taken, and if the home is not written here.
 *
 * @param allowed tells whether the home is written here; a repair asks elsewhere if its files cannot be read
 */
export async function withAllLeases<T>(
  host: Pick<Host, "files" | "locks">,
  home: Home,
  action: () => Promise<T>,
  allowed = () => refuseWrites(host.files, home),
): Promise<Result<T, LeaseHeld | FileFailure | NotWrittenHere>> {
  // Nothing is made there, not even a lock.
  const own = allowed();
  if (!own.ok) return own;
  const leases = await takeLeases(host, home);
  if (!leases.ok) return leases;
  try {
    // It may have moved before the leases were taken.
    const still = allowed();
    return still.ok ? ok(await action()) : still;
  } finally {
    await release(leases.value);
  }
}

async function takeLeases(
  { files, locks }: Pick<Host, "files" | "locks">,
  home: Home,
): Promise<Result<readonly Lease[], LeaseHeld | FileFailure>> {
  const made = files.makeDirectory(home.locks);
  if (!made.ok) return made;
  const leases: Lease[] = [];
  // The supervisor's first: it would start the roles again.
  for (const holder of ["supervisor", ...ROLES] as const) {
    const taken = await locks.takeLease(leasePath(home, holder));
    if (!taken.ok) {
      await release(leases);
      return taken;
    }
    leases.push(taken.value);
  }
  return ok(leases);
}

async function release(leases: readonly Lease[]): Promise<void> {
  for (const lease of leases) await lease.release();
}

/**
 * Runs an action while holding the leases of the supervisors and roles of several homes, whatever those are, and tells
 * it whether it could get all of them. Fails only if a lease file cannot be made.
 */
export async function tryAllLeases<T>(
  host: Pick<Host, "files" | "locks">,
  homes: readonly Home[],
  action: (isAlone: boolean) => Promise<T>,
): Promise<Result<T, FileFailure>> {
  const [first, ...rest] = homes;
  if (first === undefined) return ok(await action(true));
  const leases = await takeLeases(host, first);
  if (!leases.ok)
    return leases.failure.kind === "file" ? fail(leases.failure) : ok(await action(false));
  try {
    return await tryAllLeases(host, rest, action);
  } finally {
    await release(leases.value);
  }
}
