import { PLATFORM } from "../host/system/this-machine.ts";
import type { FrozenSandbox } from "../fs-protocol/home/session-json.ts";
import type { Files } from "../base/ports/files.ts";
import type { SandboxKind } from "../base/ports/sandbox.ts";
import { findExecutable } from "../host/processes/find-executable.ts";
import type { World } from "./world.ts";

/** Absolute path of the program that runs a sandbox. */
export function sandboxExecutable(
  place: Pick<World, "env" | "cwd">,
  kind: Exclude<SandboxKind, "none">,
): string | undefined {
  return findExecutable(kind === "bubblewrap" ? "bwrap" : "srt", place);
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
  return `to install it: ${installBubblewrap(osRelease(host))}`;
}

/** The files that identify the operating system; the second is often a link to the first. */
const OS_RELEASE = ["/usr/lib/os-release", "/etc/os-release"];

/** The text that identifies the operating system; empty if there is none. */
export function osRelease({ files }: { readonly files: Pick<Files, "read"> }): string {
  const texts = OS_RELEASE.map((path) => {
    const read = files.read(path);
    return read.ok && read.value !== undefined ? Buffer.from(read.value).toString("utf8") : "";
  });
  return texts.find((text) => text !== "") ?? "";
}

/** Keyed by the `ID` and `ID_LIKE` values of os-release(5). */
const INSTALLS: Readonly<Record<string, string>> = {
  debian: "sudo apt install bubblewrap",
  ubuntu: "sudo apt install bubblewrap",
  fedora: "sudo dnf install bubblewrap",
  rhel: "sudo dnf install bubblewrap",
  centos: "sudo dnf install bubblewrap",
  arch: "sudo pacman -S bubblewrap",
  suse: "sudo zypper install bubblewrap",
  opensuse: "sudo zypper install bubblewrap",
  alpine: "sudo apk add bubblewrap",
  nixos: "nix-env -iA nixos.bubblewrap",
};

/**
 * The command that installs bubblewrap on a system with this os-release(5) text, or the name of the package if the
 * system is unknown.
 */
export function installBubblewrap(text: string): string {
  const valueOf = (key: string) =>
    new RegExp(`^${key}=["']?([^"'\\n]*)`, "mu").exec(text)?.[1]?.trim() ?? "";
  const names = [valueOf("ID"), ...valueOf("ID_LIKE").split(/\s+/u)];
  const known = names.find((name) => Object.hasOwn(INSTALLS, name));
  return INSTALLS[known ?? ""] ?? "the package bubblewrap of your system";
}
