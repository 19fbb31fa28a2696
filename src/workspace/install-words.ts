/** What tells which commands install programs on a machine. */
export interface SystemFacts {
  /** As Node names it: `linux`, `darwin`, … */
  readonly platform: string;
  /** The text of os-release(5); empty if there is none. */
  readonly osRelease: string;
  /** The text of `/proc/version`; empty if there is none. */
  readonly kernel: string;
  /** Whether the user is root, who needs no sudo; in a container there often is none. */
  readonly isRoot: boolean;
}

/** Programs that wisp needs or can use, by the name that most systems give to their package. */
export type Program = "git" | "bubblewrap" | "util-linux";

/** Keyed by the `ID` and `ID_LIKE` values of os-release(5). */
const FAMILIES: Readonly<Record<string, Family>> = {
  debian: "apt",
  ubuntu: "apt",
  fedora: "dnf",
  rhel: "dnf",
  centos: "dnf",
  arch: "pacman",
  suse: "zypper",
  opensuse: "zypper",
  alpine: "apk",
  nixos: "nix",
};

type Family = "apt" | "dnf" | "pacman" | "zypper" | "apk" | "nix" | "brew";

const INSTALLS: Readonly<Record<Family, (program: string) => string>> = {
  apt: (program) => `sudo apt install ${program}`,
  dnf: (program) => `sudo dnf install ${program}`,
  pacman: (program) => `sudo pacman -S ${program}`,
  zypper: (program) => `sudo zypper install ${program}`,
  apk: (program) => `sudo apk add ${program}`,
  nix: (program) => `nix-env -iA nixos.${program}`,
  brew: (program) => `brew install ${program}`,
};

/** Where the system's own git is too old, it is not enough to install it again. */
const NEWER_GIT: Readonly<Record<Family, string>> = {
  apt: "sudo apt update && sudo apt install git",
  dnf: "sudo dnf upgrade git",
  pacman: "sudo pacman -Syu git",
  zypper: "sudo zypper update git",
  apk: "sudo apk add --upgrade git",
  nix: "nix-env -uA nixos.git",
  brew: "brew upgrade git",
};

/** Systems whose own Node is new enough in every release that is still maintained. */
const NODE_PACKAGES: Readonly<Partial<Record<Family, string>>> = {
  pacman: "nodejs",
  apk: "nodejs",
  brew: "node",
};

/** The profile is in Ubuntu 24.04, but is not loaded there; later releases load it. */
const LOAD_BWRAP_PROFILE =
  "sudo apt install apparmor-profiles && " +
  "sudo install -m 644 /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && " +
  "sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict";

/** The value of a key of os-release(5), without quotes; empty if it is missing. */
function valueOf({ osRelease }: SystemFacts, key: string): string {
  return new RegExp(`^${key}=["']?([^"'\\n]*)`, "mu").exec(osRelease)?.[1]?.trim() ?? "";
}

function familyOf(system: SystemFacts): Family | undefined {
  if (system.platform === "darwin") return "brew";
  const names = [valueOf(system, "ID"), ...valueOf(system, "ID_LIKE").split(/\s+/u)];
  const known = names.find((name) => Object.hasOwn(FAMILIES, name));
  return known === undefined ? undefined : FAMILIES[known];
}

/** Root needs no sudo, and a container may not have it. */
function asUser({ isRoot }: SystemFacts, command: string): string {
  return isRoot ? command.replaceAll("sudo ", "") : command;
}

/** The command that installs a program, or the name of the package if the system is unknown. */
export function installWords(system: SystemFacts, program: Program): string {
  const family = familyOf(system);
  if (family === undefined) return `the package ${program} of your system`;
  return asUser(system, INSTALLS[family](program));
}

/** What to do about a git that is too old. */
export function newerGitWords(system: SystemFacts, versionMin: string): string {
  const family = familyOf(system);
  const need = `git ${versionMin} or later`;
  if (family === undefined) return `Install ${need}.`;
  if (valueOf(system, "ID") === "ubuntu") {
    const add = "sudo add-apt-repository ppa:git-core/ppa && sudo apt install git";
    return asUser(system, add);
  }
  const codename = valueOf(system, "VERSION_CODENAME");
  if (valueOf(system, "ID") === "debian" && codename !== "") {
    return `Install ${need}, for example from ${codename}-backports.`;
  }
  return asUser(system, NEWER_GIT[family]);
}

/** What to do about a Node that is too old. */
export function newerNodeWords(system: SystemFacts, versionMin: string): string {
  const family = familyOf(system);
  const name = family === undefined ? undefined : NODE_PACKAGES[family];
  if (family !== undefined && name !== undefined) return asUser(system, INSTALLS[family](name));
  return `Install Node ${versionMin} or later: nvm install --lts, or see https://nodejs.org/en/download.`;
}

/** What to do about a kernel setting that refuses user namespaces. */
export function namespacesWords(
  system: SystemFacts,
  { setting, value }: { readonly setting: string; readonly value: string },
): string {
  const isAppArmor = setting.startsWith("kernel.apparmor_");
  const allowed = setting.startsWith("user.") ? "10000" : value === "0" ? "1" : "0";
  const sysctl = asUser(system, `sudo sysctl ${setting}=${allowed}`);
  if (!isAppArmor || familyOf(system) !== "apt") return sysctl;
  return `${asUser(system, LOAD_BWRAP_PROFILE)} (for bubblewrap alone), or ${sysctl} (for all programs)`;
}

/** The version of the Windows Subsystem for Linux; undefined on any other machine. */
export function wslVersion({ kernel }: Pick<SystemFacts, "kernel">): 1 | 2 | undefined {
  if (!/microsoft/iu.test(kernel)) return undefined;
  // The first version is not a Linux kernel, and calls itself 4.4.0-<build>-Microsoft.
  return /-Microsoft\b/u.test(kernel) && !/WSL2/iu.test(kernel) ? 1 : 2;
}

/** The system in a few words. */
export function systemWords(system: SystemFacts): string {
  if (system.platform === "darwin") return "macOS";
  const name = valueOf(system, "PRETTY_NAME");
  const shownName = name === "" ? system.platform : name;
  const wsl = wslVersion(system);
  return wsl === undefined ? shownName : `${shownName}, in WSL ${String(wsl)}`;
}
