import { readlinkSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";
import { present } from "../../base/assert.ts";
import { attempt } from "../system/errno.ts";
import { identify } from "./process-identity.ts";

/** Who left something behind: enough for another process to prove its death, or to know that it cannot. */
export const ProcessMark = z.object({
  pid: z.int().positive(),
  startTime: z.string(),
  /** Where these mean something: one boot of one machine, and one space of process numbers on it. */
  space: z.string(),
  /** Whose it is: processes of other users may be hidden from us. */
  user: z.int(),
});
export type ProcessMark = z.infer<typeof ProcessMark>;

/** This process. */
export function ownMark(): ProcessMark {
  const { pid, startTime } = present(identify(process.pid), "we are alive");
  return { pid, startTime, space: spaceOf(), user: ownUser() };
}

/** `unknown`: it may live where we cannot see it, in another container or on another machine. */
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
