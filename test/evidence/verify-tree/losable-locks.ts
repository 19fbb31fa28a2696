import type { Locks } from "../../../src/base/ports/locks.ts";
import { createHost } from "../../../src/host/host.ts";

/** Locks, of which those of trees can be lost, as on a machine without `flock`. */
export function losableLocks(): { readonly locks: Locks; readonly lose: (nth: number) => void } {
  const { locks } = createHost();
  const losses: (() => void)[] = [];
  const takeLease: Locks["takeLease"] = async (path) => {
    const taken = await locks.takeLease(path);
    if (!taken.ok) return taken;
    const lost = new Promise<void>((resolve) => losses.push(resolve));
    const release = () => taken.value.release();
    const keep = () => taken.value.keep();
    const { wasAbandoned } = taken.value;
    const lease = { lost, wasAbandoned, keep, release, [Symbol.asyncDispose]: release };
    return { ok: true, value: lease };
  };
  return { locks: { ...locks, takeLease }, lose: (nth) => losses[nth]?.() };
}
