import { assert } from "../../base/assert.ts";
import { attempt } from "../system/errno.ts";

/**
 * Sends a signal to a process, or to a group if `pid` is negative. Returns false if it cannot be signalled: it is
 * gone, or another user's process now has its number.
 */
export function sendSignal(pid: number, signalName: NodeJS.Signals | 0): boolean {
  // 0 would mean our own group, and -1 every process of the user.
  assert(Number.isSafeInteger(pid) && Math.abs(pid) > 1, "a signal goes to one process or group");
  return attempt(() => process.kill(pid, signalName)).ok;
}
