import { IS_ROOT, PLATFORM } from "../host/system/this-machine.ts";
import type { FrozenSandbox } from "../fs-protocol/home/session-json.ts";
import type { Files } from "../base/ports/files.ts";
import type { SandboxKind } from "../base/ports/sandbox.ts";
import { findExecutable } from "../host/processes/find-executable.ts";
import { installWords, type SystemFacts } from "./install-words.ts";
import type { World } from "./world.ts";

/** The kinds of sandboxes that have a program of their own. */
export type OwnProgramKind = Exclude<SandboxKind, "none" | "container">;

/** Absolute path of the program that runs a sandbox. */
export function sandboxExecutable(
  place: Pick<World, "env" | "cwd">,
  kind: OwnProgramKind,
): string | undefined {
  return findExecutable(kind === "bubblewrap" ? "bwrap" : "srt", place);
}

/**
 * Why root gets no protection from a kind of sandbox here, in one line; undefined if it does. On Linux `srt` mounts a `/proc`
 * of its own after all else, in which uid 0 can write the settings of the kernel, and takes no mount over it.
 */
export function openToRoot(kind: SandboxKind): string | undefined {
  return kind === "srt" && IS_ROOT && PLATFORM === "linux"
    ? "as root, a command in srt could change settings of the kernel: use bubblewrap, or do not run wisp as root"
    : undefined;
}

/**
 * One line for a person whose session has no sandbox although the settings did not turn it off.
 *
 * @param remedy what they can do about it, if that should be shown
 */
export function noSandboxWords(
  sandbox: FrozenSandbox | undefined,
  remedy?: string,
): readonly string[] {
  if (sandbox?.missing === undefined) return [];
  const means = `no sandbox (${sandbox.missing}): engines can read and change whatever you can`;
  return [`${means}${remedy === undefined ? "" : `; ${remedy}`} (docs/SANDBOX.md)`];
}

/** What a person can do to get a sandbox on this machine. */
export function sandboxRemedy({ host, env, cwd }: Pick<World, "host" | "env" | "cwd">): string {
  if (PLATFORM !== "linux") return "srt is a sandbox for systems other than Linux";
  if (sandboxExecutable({ env, cwd }, "bubblewrap") !== undefined) {
    return "wisp doctor shows why bubblewrap does not work";
  }
  return `to install it: ${installWords(systemFacts(host), "bubblewrap")}`;
}

/** The files that identify the operating system; the second is often a link to the first. */
const OS_RELEASE = ["/usr/lib/os-release", "/etc/os-release"];

/** What tells how programs are installed on this machine. */
export function systemFacts({ files }: { readonly files: Pick<Files, "read"> }): SystemFacts {
  const textOf = (path: string) => {
    const read = files.read(path);
    return read.ok && read.value !== undefined ? Buffer.from(read.value).toString("utf8") : "";
  };
  const osRelease = OS_RELEASE.map(textOf).find((text) => text !== "") ?? "";
  return { platform: PLATFORM, osRelease, kernel: textOf("/proc/version"), isRoot: IS_ROOT };
}
