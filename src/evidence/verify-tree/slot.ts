import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { SLOTS_MAX } from "../../base/limits.ts";
import type { Lease } from "../../base/ports/locks.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { whenFree } from "./when-free.ts";

/** The first slot's first number is above the ports that people choose, and below those that systems give away. */
const FIRST_PORT = 20_000;
/** As many variables as the settings may name. */
const PORTS_OF_A_SLOT = 100;

/** A number that no other tree of this person has on this machine while it is held. */
export interface Slot {
  readonly number: number;
  readonly lease: Lease;
}

/**
 * Takes the lowest free number from 1 under a kernel lock, which is freed even if its holder is killed. All sessions of
 * a person on a machine share the folder of these locks. If all are taken, it waits.
 *
 * @returns undefined if the role is asked to stop meanwhile
 */
export async function acquireSlot(
  { ports, signal }: Pick<RoleContext, "ports" | "signal">,
  folder: string,
): Promise<Slot | undefined> {
  need(ports.files.makeDirectory(folder));
  return whenFree({ clock: ports.clock, signal }, async () => {
    for (let number = 1; number <= SLOTS_MAX; number++) {
      const lease = await ports.locks.takeLease(join(folder, `${String(number)}.lock`));
      if (lease.ok || lease.failure.kind !== "lease-held") return { number, lease: need(lease) };
    }
    return undefined;
  });
}

/**
 * What tells a command its slot: the number, and for each variable that the settings name a port that no command in
 * another slot is told.
 */
export function slotVariables(
  slot: number,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const first = FIRST_PORT + slot * PORTS_OF_A_SLOT;
  const named = names.map((name, index) => [name, String(first + index)] as const);
  return { ...Object.fromEntries(named), WISP_SLOT: String(slot) };
}
