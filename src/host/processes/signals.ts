import { assert } from "../../base/assert.ts";
import { attempt } from "../system/errno.ts";

/**
 * Sends a signal to a process, or to a group when `pid` is negative. False when nobody there can be
 * signalled: gone, or by now somebody else's process under the same number.
 */
export function sendSignal(pid: number, signalName: NodeJS.Signals | 0): boolean {
  // 0 would be our own group and -1 every process of the user.
  assert(Number.isSafeInteger(pid) && Math.abs(pid) > 1, "a signal goes to one process or group");
  return attempt(() => process.kill(pid, signalName)).ok;
}
