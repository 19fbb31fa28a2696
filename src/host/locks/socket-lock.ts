import { closeSync, constants, lstatSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { basename, dirname } from "node:path";
import { fail, ok, type Result } from "../../base/result.ts";
import { openSync, unlinkSync } from "../system/effects.ts";
import { attempt, type Errno, errnoOf } from "../system/errno.ts";
import type { Exclusion, Hold } from "./exclusion.ts";
import { HAS_PROC } from "../processes/process-identity.ts";
import { withShortLock } from "./short-lock.ts";

/** The longest path that fits into a socket address everywhere (macOS allows 104 bytes). */
const ADDRESS_BYTES_MAX = 100;

/** The errors of connecting to a socket on which nothing listens. */
const NOBODY: readonly Errno[] = ["ECONNREFUSED", "ENOENT"];

/**
 * The fallback without `flock(1)`: the process that listens on the socket `<path>.sock` holds `path`. When a
 * process dies, the kernel ends the listening but leaves the file. So a process that cannot connect removes the
 * file first, under a short lock, so that it cannot remove a socket that another has just created.
 */
export function socketLock(): Exclusion {
  return {
    take: async (path) => {
      const taken = await withShortLock(`${path}.sock`, () => takeSocket(`${path}.sock`));
      return taken.ok ? taken.value : taken;
    },
    isHeld: async (path) => {
      const address = addressOf(`${path}.sock`);
      if (!address.ok) return false;
      const isHeld = await isListening(address.value.path);
      address.value.close();
      return isHeld;
    },
  };
}

async function takeSocket(socketPath: string): Promise<Result<Hold | "held", Errno>> {
  const address = addressOf(socketPath);
  if (!address.ok) return address;
  const listening = await listenAlone(address.value.path, socketPath);
  if (listening.ok && listening.value !== "held")
    return ok(holdOn(socketPath, listening.value, address.value));
  address.value.close();
  return listening.ok ? ok("held") : listening;
}

async function listenAlone(
  address: string,
  socketPath: string,
): Promise<Result<Server | "held", Errno>> {
  if (await isListening(address)) return ok("held");
  const removed = attempt(() => unlinkSync(socketPath));
  if (!removed.ok && removed.failure !== "ENOENT") return removed;
  return new Promise((resolve) => {
    // A client only connects to find out whether the path is held.
    const server = createServer((socket) => socket.destroy());
    server.on("error", (thrown) => resolve(fail(errnoOf(thrown) ?? "EIO")));
    server.listen(address, () => resolve(ok(server)));
    // The lock lasts as long as the process, but must not keep the process alive.
    server.unref();
  });
}

function holdOn(socketPath: string, server: Server, address: Address): Hold {
  let isReleased = false;
  const ours = inodeOf(socketPath);
  const isInPlace = () => ours !== undefined && inodeOf(socketPath) === ours;
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  const end = async () => {
    // Nobody can reach a socket whose file was removed, and closing it would remove the file of the next holder.
    // Otherwise closing removes the socket's file through its address, so the address is closed afterwards.
    if (isInPlace()) {
      server.close();
      await closed;
    }
    address.close();
  };
  let released: Promise<void> | undefined;
  const lost = new Promise<void>((resolve) => {
    void closed.then(() => {
      if (!isReleased) resolve();
    });
  });
  return {
    fd: undefined,
    lost,
    isInPlace,
    release: () => {
      isReleased = true;
      released ??= end();
      return released;
    },
  };
}

function inodeOf(path: string): bigint | undefined {
  const found = attempt(() => lstatSync(path, { bigint: true }).ino);
  return found.ok ? found.value : undefined;
}

/** A stopped holder counts too: the kernel accepts connections for it. */
function isListening(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (thrown) => resolve(!NOBODY.includes(errnoOf(thrown) ?? "")));
  });
}

/** The path to use for a socket in system calls, until it is closed. */
interface Address {
  readonly path: string;
  close(): void;
}

/** A path too long for a socket address is reached through its directory's descriptor. */
function addressOf(socketPath: string): Result<Address, Errno> {
  if (Buffer.byteLength(socketPath) <= ADDRESS_BYTES_MAX || !HAS_PROC) {
    return ok({ path: socketPath, close: () => undefined });
  }
  const opened = attempt(() =>
    openSync(dirname(socketPath), constants.O_RDONLY | constants.O_DIRECTORY),
  );
  if (!opened.ok) return opened;
  const path = `/proc/self/fd/${opened.value}/${basename(socketPath)}`;
  return ok({ path, close: () => closeSync(opened.value) });
}
