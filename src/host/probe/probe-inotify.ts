import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { attempt } from "../system/errno.ts";
import { readSetting } from "./probe-namespaces.ts";
import { listPids } from "../processes/run-environments.ts";

/** This user's limits for Linux file events, and their current use. */
export interface Inotify {
  readonly watchesMax: number;
  readonly instancesMax: number;
  /** Counted in the processes that we can inspect: those of this user. */
  readonly watchesUsed: number;
  readonly instancesUsed: number;
}

/** Reads the limits and the use; `undefined` if there is no inotify. */
export function probeInotify(): Inotify | undefined {
  const watchesMax = Number(readSetting("fs.inotify.max_user_watches"));
  const instancesMax = Number(readSetting("fs.inotify.max_user_instances"));
  if (!Number.isFinite(watchesMax) || !Number.isFinite(instancesMax)) return undefined;
  const instances = listPids().flatMap(instancesOf);
  const watchesUsed = instances.reduce((sum, watches) => sum + watches, 0);
  return { watchesMax, instancesMax, watchesUsed, instancesUsed: instances.length };
}

/** The number of watches of each instance that a process has open; empty if it cannot be inspected. */
function instancesOf(pid: number): readonly number[] {
  const directory = `/proc/${pid}/fd`;
  const names = attempt(() => readdirSync(directory));
  if (!names.ok) return [];
  return names.value.flatMap((fd) => {
    const target = attempt(() => readlinkSync(`${directory}/${fd}`));
    if (!target.ok || !target.value.includes("inotify")) return [];
    const info = attempt(() => readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8"));
    return info.ok
      ? [info.value.split("\n").filter((line) => line.startsWith("inotify ")).length]
      : [];
  });
}
