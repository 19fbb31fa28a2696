import { closeSync, constants } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { basename, dirname } from "node:path";
import { fail, ok, type Result } from "../../base/result.ts";
import { openSync, unlinkSync } from "../system/effects.ts";
import { attempt, type Errno, errnoOf } from "../system/errno.ts";
import type { Exclusion, Hold } from "./exclusion.ts";
import { HAS_PROC } from "../processes/process-identity.ts";
import { withShortLock } from "./short-lock.ts";

/** The longest path that fits into a socket's address everywhere (macOS has room for 104). */
const ADDRESS_BYTES_MAX = 100;

/** What connecting says of a socket that nobody listens at. */
const NOBODY: readonly Errno[] = ["ECONNREFUSED", "ENOENT"];

/**
 * The fallback without `flock(1)`: whoever listens at the socket `<path>.sock` holds `path`. The
 * kernel ends the listening with the process, but leaves the file; so a taker that cannot connect
 * removes it first, under a short lock, so that nobody removes what another has just made.
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
  if (listening.ok && listening.value !== "held") return ok(holdOn(listening.value, address.value));
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
    // Whoever connects only wants to know whether somebody is here.
    const server = createServer((socket) => socket.destroy());
    server.on("error", (thrown) => resolve(fail(errnoOf(thrown) ?? "EIO")));
    server.listen(address, () => resolve(ok(server)));
    // The lock lasts as long as the process, and the process no longer because of the lock.
    server.unref();
  });
}

function holdOn(server: Server, address: Address): Hold {
  let isReleased = false;
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  const lost = new Promise<void>((resolve) => {
    void closed.then(() => {
      if (!isReleased) resolve();
    });
  });
  return {
    fd: undefined,
    lost,
    release: async () => {
      if (isReleased) return closed;
      isReleased = true;
      // Closing removes the socket's file, by the address, which therefore is closed afterwards.
      server.close();
      await closed;
      address.close();
    },
  };
}

/** A stopped holder counts: the kernel takes connections in its stead. */
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

/** The path to give to the system instead of a socket's own, until it is closed. */
interface Address {
  readonly path: string;
  close(): void;
}

/** A path that is too long for an address is reached through its directory's descriptor. */
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
