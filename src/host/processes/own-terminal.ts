import { closeSync, constants, fstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isatty } from "node:tty";
import { openSync } from "../system/effects.ts";
import { attempt } from "../system/errno.ts";

/** Where terminals are listed, on systems that cannot reopen a descriptor by its number. */
const DEVICES = "/dev";

/** The standard input, output and error of a command in our terminal. */
export interface OwnStreams {
  readonly stdio: readonly [OwnStream, OwnStream, OwnStream];
  /** Closes our side of what was opened for the command. */
  readonly close: () => void;
}

type OwnStream = number | "inherit";

/**
 * Reopens our terminal for a command that uses it. An inherited descriptor shares its open file description and
 * thereby its flags: Node makes the first three descriptors of every child blocking, and thus ours too, and then
 * our next read of the terminal blocks the whole process until someone types. Streams that are not a terminal, or
 * that cannot be reopened, are inherited.
 */
export function openStreams(): OwnStreams {
  const [input, output, error] = [openTerminal(0), openTerminal(1), openTerminal(2)];
  return {
    stdio: [input ?? "inherit", output ?? "inherit", error ?? "inherit"],
    close: () => {
      for (const fd of [input, output, error]) if (fd !== undefined) closeSync(fd);
    },
  };
}

function openTerminal(fd: 0 | 1 | 2): number | undefined {
  if (!isatty(fd)) return undefined;
  const paths = [`/proc/self/fd/${String(fd)}`, nameOf(fd)].filter((path) => path !== undefined);
  for (const path of paths) {
    const opened = attempt(() => openSync(path, constants.O_RDWR | constants.O_NOCTTY));
    if (opened.ok) return opened.value;
  }
  return undefined;
}

/** The path of a terminal, found like ttyname(3) does; not `/dev/tty`, which kqueue on macOS cannot watch. */
function nameOf(fd: number): string | undefined {
  const { rdev } = fstatSync(fd);
  const listed = attempt(() => readdirSync(DEVICES));
  if (!listed.ok) return undefined;
  const paths = listed.value
    .filter((name) => /^tty.+/u.test(name))
    .map((name) => join(DEVICES, name));
  return paths.find((path) => {
    const found = attempt(() => statSync(path));
    return found.ok && found.value.isCharacterDevice() && found.value.rdev === rdev;
  });
}

/** Stops reading our terminal, so that further input is left for the next program that reads it. */
export async function leaveTerminal(): Promise<void> {
  const { stdin } = process;
  if (!stdin.isTTY) return;
  // A stream ignores `pause` until it has counted a removed `readable` listener, which takes a tick.
  await setImmediate();
  stdin.resume();
  stdin.pause();
  await setImmediate();
}
