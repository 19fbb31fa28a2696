// @ts-check
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The link of a file descriptor that is an inotify instance. */
const INOTIFY = "anon_inode:inotify";

/**
 * What a process holds of what kernels limit: threads, file descriptors, and inotify instances with their watches.
 * Zeros for a process that has ended.
 * @param {number} pid
 */
export function heldBy(pid) {
  const fds = entriesOf(`/proc/${pid}/fd`);
  const inotify = fds.filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === INOTIFY);
  const watches = inotify
    .map((fd) => textOf(`/proc/${pid}/fdinfo/${fd}`).split("\n"))
    .flatMap((lines) => lines.filter((line) => line.startsWith("inotify ")));
  return {
    threads: entriesOf(`/proc/${pid}/task`).length,
    fds: fds.length,
    instances: inotify.length,
    watches: watches.length,
  };
}

/** @param {string} directory */
function entriesOf(directory) {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** @param {string} path */
function linkOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** @param {string} path */
function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
