import { homedir, tmpdir, uptime, userInfo } from "node:os";

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

/** When this machine was started, in ms since 1970. */
export function bootedMs(): number {
  return Date.now() - uptime() * 1_000;
}

/** The absolute path of the folder for temporary files. */
export function temporaryDirectory(): string {
  return tmpdir();
}

/** The home folder from the environment or, without one, of the account; undefined: there is neither. It may be a relative path. */
export function homeDirectory(): string | undefined {
  return ofAccount(homedir);
}

/** The home folder in the account database, whatever the environment says; undefined: this user has no account. */
export function accountHome(): string | undefined {
  return ofAccount(() => userInfo().homedir);
}

/** Programs may run as a user of no account (`docker run --user`, `runAsUser`); Node then throws. */
function ofAccount(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    const info: unknown = error instanceof Error ? Reflect.get(error, "info") : undefined;
    const code: unknown =
      typeof info === "object" && info !== null ? Reflect.get(info, "code") : "";
    if (code === "ENOENT") return undefined;
    throw error;
  }
}
