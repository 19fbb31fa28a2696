import { randomBytes } from "node:crypto";
import { constants, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Result } from "../../base/result.ts";
import { openRegular } from "../files/open-regular.ts";
import { unlinkSync } from "../system/effects.ts";
import { attempt, type Errno } from "../system/errno.ts";
import { isDead, readProcStat } from "./process-identity.ts";

/** A report is some 100 bytes long. */
const REPORT_BYTES_MAX = 4096;
/** How long to wait for a namespace to end by itself, as it normally does within a millisecond. */
const END_ROUNDS_MAX = 50;
const ROUND_MS = 1;

/**
 * Opens a file without a name for what a sandbox reports of its pid namespace.
 *
 * @param beside absolute path in a directory that can be written
 */
export function openReport(beside: string): Result<{ readonly fd: number }, Errno> {
  const path = `${beside}.${randomBytes(6).toString("hex")}.report`;
  const opened = openRegular(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL);
  if (opened.ok) attempt(() => unlinkSync(path));
  return opened;
}

/** The pid of the first process of the namespace, as reported; undefined if the report is not whole. */
export function readFirstProcess(fd: number): number | undefined {
  const bytes = Buffer.alloc(REPORT_BYTES_MAX);
  const read = attempt(() => readSync(fd, bytes, 0, bytes.length, 0));
  if (!read.ok) return undefined;
  const found = /"child-pid":\s*(\d+)/u.exec(bytes.subarray(0, read.value).toString("latin1"));
  const pid = Number(found?.[1] ?? NaN);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}

/**
 * Waits, for a short time, until the first process of a pid namespace is dead, and returns whether
 * it is. The kernel lets it die only after every other process of the namespace (pid_namespaces(7)),
 * so nothing of them is left then. A pid that was given to another process meanwhile counts as alive.
 */
export async function hasNamespaceEnded(firstProcess: number): Promise<boolean> {
  for (let round = 0; round < END_ROUNDS_MAX; round++) {
    if (isGone(firstProcess)) return true;
    await sleep(ROUND_MS);
  }
  return false;
}

/** Only the system's own word counts: a process that it hides from us in /proc may be alive. */
function isGone(pid: number): boolean {
  const signalled = attempt(() => process.kill(pid, 0));
  if (!signalled.ok) return signalled.failure === "ESRCH";
  const stat = readProcStat(pid);
  return stat !== undefined && isDead(stat);
}
