import { PLATFORM } from "../host/system/this-machine.ts";
import type { FrozenSandbox } from "../fs-protocol/home/session-json.ts";
import type { Files } from "../base/ports/files.ts";
import { sandboxExecutable } from "./choose-sandbox.ts";
import type { World } from "./world.ts";

/**
 * One line for a person whose session has no sandbox although the settings did not turn it off.
 *
 * @param remedy what they can do about it, where that is to be said
 */
export function noSandboxWords(
  sandbox: FrozenSandbox | undefined,
  remedy?: string,
): readonly string[] {
  if (sandbox?.missing === undefined) return [];
  const means = `no sandbox (${sandbox.missing}): engines can read and change whatever you can`;
  return [`${means}${remedy === undefined ? "" : `; ${remedy}`} (docs/SANDBOX.md)`];
}

/** What a person can do to have a sandbox here. */
export function sandboxRemedy({ host, env, cwd }: Pick<World, "host" | "env" | "cwd">): string {
  if (PLATFORM !== "linux") return "srt is a sandbox for other systems than Linux";
  if (sandboxExecutable({ env, cwd }, "bubblewrap") !== undefined) {
    return "wisp doctor says what keeps bubblewrap from working";
  }
  return `to install it: ${installBubblewrap(osRelease(host))}`;
}

/** Where a system says which one it is; the second is often a link to the first. */
const OS_RELEASE = ["/usr/lib/os-release", "/etc/os-release"];

/** The text in which the system says which one it is; empty where it does not. */
export function osRelease({ files }: { readonly files: Pick<Files, "read"> }): string {
  const texts = OS_RELEASE.map((path) => {
    const read = files.read(path);
    return read.ok && read.value !== undefined ? Buffer.from(read.value).toString("utf8") : "";
  });
  return texts.find((text) => text !== "") ?? "";
}

/** By the names that systems give themselves, and those that they are like. */
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
 * The command that installs bubblewrap, by what a system says of itself (os-release(5)); where it says nothing
 * that is known, the name of the package.
 */
export function installBubblewrap(text: string): string {
  const valueOf = (key: string) =>
    new RegExp(`^${key}=["']?([^"'\\n]*)`, "mu").exec(text)?.[1]?.trim() ?? "";
  const names = [valueOf("ID"), ...valueOf("ID_LIKE").split(/\s+/u)];
  const known = names.find((name) => Object.hasOwn(INSTALLS, name));
  return INSTALLS[known ?? ""] ?? "the package bubblewrap of your system";
}
