import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { attempt } from "../system/errno.ts";
import { readSetting } from "./probe-namespaces.ts";
import { listPids } from "../processes/run-environments.ts";

/** How much of Linux's file events this user has, and how much of it is in use. */
export interface Inotify {
  readonly watchesMax: number;
  readonly instancesMax: number;
  /** Of the processes that we may look into: those of this user. */
  readonly watchesUsed: number;
  readonly instancesUsed: number;
}

/** `undefined` where there is no inotify. */
export function probeInotify(): Inotify | undefined {
  const watchesMax = Number(readSetting("fs.inotify.max_user_watches"));
  const instancesMax = Number(readSetting("fs.inotify.max_user_instances"));
  if (!Number.isFinite(watchesMax) || !Number.isFinite(instancesMax)) return undefined;
  const instances = listPids().flatMap(instancesOf);
  const watchesUsed = instances.reduce((sum, watches) => sum + watches, 0);
  return { watchesMax, instancesMax, watchesUsed, instancesUsed: instances.length };
}

/** Watches of each instance that a process has open; none where we may not look. */
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
