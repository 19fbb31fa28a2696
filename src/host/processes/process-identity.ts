import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { ProcessIdentity } from "../../base/ports/processes.ts";

/** Whether the system tells of its processes in files, as Linux does. */
export const HAS_PROC: boolean = existsSync("/proc/self/stat");

/** The kernel's flag for threads of its own, in field 9. */
const PF_KTHREAD = 0x00200000;

/** What `/proc/<pid>/stat` says that we need. */
export interface ProcStat {
  /** A letter; `Z` and `X` are dead, whatever `kill(pid, 0)` says. */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  /** The kernel's own threads never run a program of anybody's. */
  readonly isKernelThread: boolean;
  /** Ticks since boot. */
  readonly startTime: string;
}

/** Who lives under a pid now, or `undefined`: nobody, or a zombie that waits to be reaped. */
export function identify(pid: number): ProcessIdentity | undefined {
  if (!HAS_PROC) return identifyByPs(pid);
  const stat = readProcStat(pid);
  return stat === undefined || isDead(stat) ? undefined : { pid, startTime: stat.startTime };
}

/** `undefined` when there is no such process. */
export function readProcStat(pid: number | string): ProcStat | undefined {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    // A process that ends while it is being read is one that is not there.
    return undefined;
  }
}

export function isDead({ state }: ProcStat): boolean {
  return state === "Z" || state === "X";
}

/** `undefined` when the text is not of that form. */
export function parseProcStat(text: string): ProcStat | undefined {
  // The second field is the program's name in parentheses, which may itself hold `) ` and spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, , , , flags] = fields;
  const startTime = fields[19];
  if (state === undefined || group === undefined || startTime === undefined) return undefined;
  const isKernelThread = (Number(flags) & PF_KTHREAD) !== 0;
  return { state, parent: Number(parent), group: Number(group), isKernelThread, startTime };
}

/** Where there is no /proc: seconds are all the precision that `ps` has. */
function identifyByPs(pid: number): ProcessIdentity | undefined {
  try {
    const said = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { PATH: "/bin:/usr/bin", LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    const [state = "Z", ...startTime] = said.split(/\s+/);
    return state.startsWith("Z") ? undefined : { pid, startTime: startTime.join(" ") };
  } catch {
    // ps ends with 1 when it finds nothing.
    return undefined;
  }
}
