import { closeSync, constants, fstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isatty } from "node:tty";
import { openSync } from "../system/effects.ts";
import { attempt } from "../system/errno.ts";

/** Where terminals have their names, on systems that cannot open a descriptor anew by its number. */
const DEVICES = "/dev";

/** What a command in our terminal has for its standard input, output and error. */
export interface OwnStreams {
  readonly stdio: readonly [OwnStream, OwnStream, OwnStream];
  /** Closes what was opened for the command, on our side. */
  readonly close: () => void;
}

type OwnStream = number | "inherit";

/**
 * Opens anew what we have of the terminal, for a command that is to have it. Who inherits a descriptor shares
 * its open file description and with it its flags: Node makes the first three of every child blocking, and so
 * ours; then our next read of the terminal stops the whole process until somebody types. What is no
 * terminal, or cannot be opened anew, is inherited.
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

/** The name of a terminal, as ttyname(3) finds it; not `/dev/tty`, for whose events macOS has no kqueue. */
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

/** Stops reading our terminal: what is typed from now on stays there for the next program that reads it. */
export async function leaveTerminal(): Promise<void> {
  const { stdin } = process;
  if (!stdin.isTTY) return;
  // Until a removed listener of `readable` has been counted, which takes a tick, a stream does not heed `pause`.
  await setImmediate();
  stdin.resume();
  stdin.pause();
  await setImmediate();
}
