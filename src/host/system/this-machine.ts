import { homedir, tmpdir, userInfo } from "node:os";

/** The platform that this process runs on, as Node names it: `linux`, `darwin`, … */
export const PLATFORM = process.platform;

/** Whether this process may do everything. */
export const IS_ROOT = process.geteuid?.() === 0;

/** The id of this process. */
export const OWN_PID = process.pid;

/** The user and the group of this process, as numbers. */
export const USER_AND_GROUP = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };

/** The version of Node that runs this process, such as `20.19.0`. */
export const NODE_VERSION = process.versions.node;

/** The absolute path of the folder for temporary files. */
export function temporaryDirectory(): string {
  return tmpdir();
}

/** The home folder from the environment or, without one, of the account. It may be a relative path. */
export function homeDirectory(): string {
  return homedir();
}

/** The home folder in the account database, whatever the environment says. */
export function accountHome(): string {
  return userInfo().homedir;
}
