import { homedir, tmpdir, userInfo } from "node:os";

/** The system that this process runs on, as Node names it: `linux`, `darwin`, … */
export const PLATFORM = process.platform;

/** The version of Node that runs this process: `20.19.0`. */
export const NODE_VERSION = process.versions.node;

/** Absolute path of the folder for temporary files. */
export function temporaryDirectory(): string {
  return tmpdir();
}

/** The home folder of the environment; without one, that of the account. It may not be absolute. */
export function homeDirectory(): string {
  return homedir();
}

/** The home folder that the account database names, whatever the environment says. */
export function accountHome(): string {
  return userInfo().homedir;
}
