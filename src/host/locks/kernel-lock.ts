import { closeSync, constants, fstatSync, statSync } from "node:fs";
import { fail, ok, type Result } from "../../base/result.ts";
import { spawn } from "../system/effects.ts";
import { attempt, type Errno, errnoOf } from "../system/errno.ts";
import type { Exclusion, Hold } from "./exclusion.ts";
import { openRegular } from "../files/open-regular.ts";

/** Searched in addition to PATH: processes with different PATHs must not choose different kinds of lock. */
const USUAL_DIRECTORIES = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

/** On macOS, `open` itself takes the lock. libuv documents these flags; Node has no names for them. */
const OPEN_LOCKS = process.platform === "darwin";
const O_SHLOCK = 0x10;
const O_EXLOCK = 0x20;

type Mode = "exclusive" | "shared";

/** A descriptor that carries the lock, or the reason why there is none. */
type Locked = number | "held" | "no-helper";

/**
 * Locks of the kernel (flock) on our own descriptor. Node cannot take one, but `flock(1)` can, on a descriptor that
 * it inherits: the lock belongs to the open file, which stays ours after the helper has ended. So nothing has to
 * watch our process: the kernel frees the lock the moment the process dies, however it dies, and a stopped process
 * keeps it. Programs that we start do not inherit the lock, because Node opens every file with O_CLOEXEC.
 *
 * `flockCommand` is the name of the helper; on a machine without one, `fallback` is used.
 */
export function kernelLock(flockCommand: string, fallback: Exclusion): Exclusion {
  return {
    take: async (path) => {
      const locked = await lock(flockCommand, path, "exclusive");
      if (!locked.ok) return locked;
      if (locked.value === "no-helper") return fallback.take(path);
      return ok(locked.value === "held" ? "held" : holdOn(path, locked.value));
    },
    isHeld: async (path) => {
      // A shared lock, so that several concurrent checks do not mistake each other for holders.
      const locked = await lock(flockCommand, path, "shared");
      if (!locked.ok) return false;
      if (locked.value === "no-helper") return fallback.isHeld(path);
      if (locked.value !== "held") closeSync(locked.value);
      return locked.value === "held";
    },
  };
}

function holdOn(path: string, fd: number): Hold {
  let isReleased = false;
  return {
    fd,
    // The kernel never takes a lock away from a living process.
    lost: new Promise<void>(() => undefined),
    isInPlace: () => isSameFile(path, fd),
    release: () => {
      if (!isReleased) closeSync(fd);
      isReleased = true;
      return Promise.resolve();
    },
  };
}

function isSameFile(path: string, fd: number): boolean {
  const compared = attempt(() => {
    const [there, ours] = [statSync(path, { bigint: true }), fstatSync(fd, { bigint: true })];
    return there.ino === ours.ino && there.dev === ours.dev;
  });
  return compared.ok && compared.value;
}

/** Takes a lock. Only an exclusive one creates its file, which therefore exists whenever `path` is held. */
async function lock(
  flockCommand: string,
  path: string,
  mode: Mode,
): Promise<Result<Locked, Errno>> {
  const create = mode === "exclusive" ? constants.O_CREAT : 0;
  const lockAtOnce = mode === "exclusive" ? O_EXLOCK : O_SHLOCK;
  const opened = openRegular(path, constants.O_RDWR | create | (OPEN_LOCKS ? lockAtOnce : 0));
  if (!opened.ok) return OPEN_LOCKS && opened.failure === "EAGAIN" ? ok("held") : opened;
  const { fd } = opened.value;
  if (OPEN_LOCKS) return ok(fd);
  // Short options, because busybox may know no others; both variants exit with 1 if the lock is held.
  const ended = await runFlock(flockCommand, [mode === "exclusive" ? "-x" : "-s", "-n", "3"], fd);
  if (ended === 0) return ok(fd);
  closeSync(fd);
  if (ended === 1) return ok("held");
  // A directory of PATH that may not be searched gives EACCES. Any other failure is reported: choosing another kind
  // of lock because of it could let two processes in.
  if (ended === "ENOENT" || ended === "EACCES") return ok("no-helper");
  return fail(typeof ended === "string" ? ended : "ENOLCK");
}

/**
 * Takes the kernel's exclusive lock on an open file or directory until it is closed; `no-helper` if this machine
 * cannot lock it.
 */
export async function lockDescriptor(fd: number): Promise<"locked" | "held" | "no-helper"> {
  const ended = await runFlock("flock", ["-x", "-n", "3"], fd);
  if (ended === 0) return "locked";
  return ended === 1 ? "held" : "no-helper";
}

/** The exit code of the helper, or the errno if it could not be started. */
function runFlock(
  command: string,
  args: readonly string[],
  descriptor3: number | "ignore",
): Promise<number | Errno> {
  return new Promise((resolve) => {
    const path = [process.env["PATH"] ?? "", ...USUAL_DIRECTORIES].join(":");
    const child = spawn(command, args, {
      env: { PATH: path },
      stdio: ["ignore", "ignore", "ignore", descriptor3],
      // A Ctrl-C in the terminal must not reach the helper.
      detached: true,
    });
    child.once("error", (thrown) => resolve(errnoOf(thrown) ?? "EIO"));
    child.once("exit", (code) => resolve(code ?? "EINTR"));
  });
}
