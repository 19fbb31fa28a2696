import { readlinkSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { present } from "../../base/assert.ts";
import { attempt } from "../system/errno.ts";
import { identify } from "./process-identity.ts";

/** Identifies the process that left something behind, so that another can prove it dead, if that is possible. */
export const ProcessMark = lateObject(() => ({
  pid: z.int().positive(),
  startTime: z.string(),
  /** The scope in which these are valid: one boot of one machine, and one pid namespace on it. */
  space: z.string(),
  /** The process's user: other users' processes may be hidden from us. */
  user: z.int(),
}));
export type ProcessMark = z.infer<typeof ProcessMark>;

/** The mark of this process. */
export function ownMark(): ProcessMark {
  const { pid, startTime } = present(identify(process.pid), "we are alive");
  return { pid, startTime, space: spaceOf(), user: ownUser() };
}

/** Whether the process is alive; `unknown` if it may run out of sight, in another container or machine. */
export function fateOf(mark: ProcessMark): "alive" | "dead" | "unknown" {
  const user = ownUser();
  if (mark.space !== spaceOf() || (mark.user !== user && user !== 0)) return "unknown";
  return identify(mark.pid)?.startTime === mark.startTime ? "alive" : "dead";
}

function spaceOf(): string {
  const boot = attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
  const pids = attempt(() => readlinkSync("/proc/self/ns/pid"));
  return boot.ok && pids.ok ? `${boot.value} ${pids.value}` : hostname();
}

function ownUser(): number {
  return process.geteuid?.() ?? 0;
}
