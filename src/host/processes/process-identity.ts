import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { ProcessIdentity } from "../../base/ports/processes.ts";

/** Whether the system describes its processes in files, as Linux does. */
export const HAS_PROC: boolean = existsSync("/proc/self/stat");

/** The kernel's flag for its own threads, in field 9. */
const PF_KTHREAD = 0x00200000;

/** The fields of `/proc/<pid>/stat` that we need. */
export interface ProcStat {
  /** A letter; `Z` and `X` mean dead, whatever `kill(pid, 0)` reports. */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  /** Kernel threads never run a user's program. */
  readonly isKernelThread: boolean;
  /** In clock ticks since boot. */
  readonly startTime: string;
}

/** The process that has a pid now; `undefined` if there is none, or only a zombie waiting to be reaped. */
export function identify(pid: number): ProcessIdentity | undefined {
  if (!HAS_PROC) return identifyByPs(pid);
  const stat = readProcStat(pid);
  return stat === undefined || isDead(stat) ? undefined : { pid, startTime: stat.startTime };
}

/** Reads a process's status; `undefined` if there is no such process. */
export function readProcStat(pid: number | string): ProcStat | undefined {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    // A process that ends while it is being read counts as absent.
    return undefined;
  }
}

export function isDead({ state }: ProcStat): boolean {
  return state === "Z" || state === "X";
}

/** Parses a status file; `undefined` if the text has another form. */
export function parseProcStat(text: string): ProcStat | undefined {
  // The second field is the program's name in parentheses, which may itself contain `) ` and spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, , , , flags] = fields;
  const startTime = fields[19];
  if (state === undefined || group === undefined || startTime === undefined) return undefined;
  const isKernelThread = (Number(flags) & PF_KTHREAD) !== 0;
  return { state, parent: Number(parent), group: Number(group), isKernelThread, startTime };
}

/** For systems without /proc. `ps` is only precise to the second. */
function identifyByPs(pid: number): ProcessIdentity | undefined {
  try {
    const printed = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { PATH: "/bin:/usr/bin", LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    const [state = "Z", ...startTime] = printed.split(/\s+/);
    return state.startsWith("Z") ? undefined : { pid, startTime: startTime.join(" ") };
  } catch {
    // ps exits with 1 if it finds nothing.
    return undefined;
  }
}
