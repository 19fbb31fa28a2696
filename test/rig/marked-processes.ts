import { readdirSync, readFileSync } from "node:fs";
import { eventually } from "./patience.ts";

const LOOK_MS = 25;

/** A living process, as /proc shows it. */
export interface MarkedProcess {
  readonly pid: number;
  readonly commandLine: string;
}

/** Living processes, except this one, with a variable (`NAME=value`) that serves as a mark. */
export function markedProcesses(isMark: (variable: string) => boolean): readonly MarkedProcess[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isSafeInteger(pid) && pid !== process.pid)
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").some(isMark)) return [];
        const state = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.[0];
        if (state === "Z" || state === "X") return [];
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return [{ pid, commandLine: line }];
      } catch {
        // It ended during the scan.
        return [];
      }
    });
}

/** Engines, and what they started, of sessions whose homes are below a folder: by their run id. */
export function engineProcessesBelow(root: string): readonly MarkedProcess[] {
  return markedProcesses((variable) => variable.startsWith(`WISP_RUN_ID=${root}/`));
}

/**
 * Checked after every test with processes: when the roles have exited (`isAnyRoleLeft` tells whether some are
 * still exiting), no process with a run id of theirs is alive. Any such process is killed, and the test fails.
 */
export async function expectNoEngines(
  root: string,
  isAnyRoleLeft: () => boolean = () => false,
): Promise<void> {
  const gone = () => {
    const left = engineProcessesBelow(root);
    if (isAnyRoleLeft() || left.length > 0) throw new Error(`not yet: ${JSON.stringify(left)}`);
  };
  await eventually(gone, { intervalMs: LOOK_MS }).catch(() => undefined);
  const left = engineProcessesBelow(root);
  for (const { pid } of left) endProcess(pid);
  if (left.length === 0) return;
  const lines = left.map(({ pid, commandLine }) => `${String(pid)} ${commandLine}`);
  throw new Error(`processes outlived their roles:\n${lines.join("\n")}`);
}

/** Ends a process of a test for good; one that has ended meanwhile is fine. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}
