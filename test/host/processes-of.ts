import { endProcess } from "../rig/marked-processes.ts";
import { identify } from "../../src/host/processes/process-identity.ts";

/** Returns which of these processes are alive, and kills them, so that a failing test leaves none. */
export function survivorsOf(pids: readonly number[]): readonly number[] {
  const alive = pids.filter((pid) => identify(pid) !== undefined);
  alive.forEach(endProcess);
  return alive;
}

/** The numbers in a line of text. */
export function numbersIn(line: string): readonly number[] {
  return line.trim().split(/\s+/).map(Number);
}
