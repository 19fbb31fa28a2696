import { expect, test } from "vitest";
import {
  installWords,
  namespacesWords,
  newerGitWords,
  newerNodeWords,
  systemWords,
  wslVersion,
  type SystemFacts,
} from "../../src/workspace/install-words.ts";

function system(osRelease: string, more: Partial<SystemFacts> = {}): SystemFacts {
  return { platform: "linux", osRelease, kernel: "", isRoot: false, ...more };
}

const DEBIAN =
  'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\nID=debian\n';
const UBUNTU = 'PRETTY_NAME="Ubuntu 24.04.1 LTS"\nID=ubuntu\nID_LIKE=debian\n';
const MAC = system("", { platform: "darwin" });

test.each([
  [DEBIAN, "sudo apt install"],
  [UBUNTU, "sudo apt install"],
  ['ID=linuxmint\nID_LIKE="ubuntu debian"\n', "sudo apt install"],
  ["ID=pop\nID_LIKE='ubuntu debian'\n", "sudo apt install"],
  ["ID=raspbian\nID_LIKE=debian\n", "sudo apt install"],
  ["ID=fedora\nVERSION_ID=41\n", "sudo dnf install"],
  ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', "sudo dnf install"],
  ['ID="almalinux"\nID_LIKE="rhel centos fedora"\n', "sudo dnf install"],
  ['ID="amzn"\nID_LIKE="fedora"\n', "sudo dnf install"],
  ["ID=arch\n", "sudo pacman -S"],
  ["ID=manjaro\nID_LIKE=arch\n", "sudo pacman -S"],
  ["ID='opensuse-tumbleweed'\nID_LIKE='opensuse suse'\n", "sudo zypper install"],
  ['ID="sles"\nID_LIKE="suse"\n', "sudo zypper install"],
  ["ID=alpine\nVERSION_ID=3.21\n", "sudo apk add"],
  ["ID=toString\n", "the package"],
  ["NAME=Somewhere\nID_LIKE=debian-like\n", "the package"],
  ["", "the package"],
])("on a system with %j, a program is installed by: %s", (text, command) => {
  expect(installWords(system(text), "bubblewrap")).toMatch(`${command} bubblewrap`);
  const asRoot = installWords(system(text, { isRoot: true }), "git");
  expect(asRoot).toMatch(`${command.replace("sudo ", "")} git`);
});

test("macOS has its programs from Homebrew, and needs no bubblewrap", () => {
  expect(installWords(MAC, "git")).toBe("brew install git");
  expect(newerGitWords(MAC, "2.30")).toBe("brew upgrade git");
  expect(newerNodeWords(MAC, "20.19")).toBe("brew install node");
  expect(systemWords(MAC)).toBe("macOS");
});

test("a git that is too old is replaced from where the system has a newer one", () => {
  expect(newerGitWords(system(UBUNTU), "2.30")).toBe(
    "sudo add-apt-repository ppa:git-core/ppa && sudo apt install git",
  );
  expect(newerGitWords(system(DEBIAN), "2.30")).toBe(
    "Install git 2.30 or later, for example from bookworm-backports.",
  );
  expect(newerGitWords(system("ID=fedora\n"), "2.30")).toBe("sudo dnf upgrade git");
  expect(newerGitWords(system(""), "2.30")).toBe("Install git 2.30 or later.");
});

test("a Node that is too old is replaced by the system's only where that is new", () => {
  expect(newerNodeWords(system("ID=alpine\n", { isRoot: true }), "20.19")).toBe("apk add nodejs");
  expect(newerNodeWords(system(DEBIAN), "20.19")).toContain("Install Node 20.19 or later");
});

test("user namespaces are allowed for bubblewrap alone where AppArmor restricts them", () => {
  const restricted = { setting: "kernel.apparmor_restrict_unprivileged_userns", value: "1" };
  const words = namespacesWords(system(UBUNTU), restricted);
  expect(words).toMatch(
    /^sudo apt install apparmor-profiles && .*apparmor_parser -r .* \(for bubblewrap alone\)/u,
  );
  expect(words).toContain(`sudo sysctl ${restricted.setting}=0`);
  expect(namespacesWords(system("ID=arch\n"), restricted)).toBe(
    `sudo sysctl ${restricted.setting}=0`,
  );
  const clone = { setting: "kernel.unprivileged_userns_clone", value: "0" };
  expect(namespacesWords(system(DEBIAN), clone)).toBe(`sudo sysctl ${clone.setting}=1`);
  const none = { setting: "user.max_user_namespaces", value: "0" };
  expect(namespacesWords(system("ID=rhel\n", { isRoot: true }), none)).toBe(
    "sysctl user.max_user_namespaces=10000",
  );
});

test.each([
  ["Linux version 5.15.167.4-microsoft-standard-WSL2 (root@f9c826d3017f) (gcc 11.2.0)", 2],
  ["Linux version 6.6.36.3-microsoft-standard (oe-user@oe-host)", 2],
  ["Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com) (gcc version 5.4.0)", 1],
  ["Linux version 6.1.0-31-amd64 (debian-kernel@lists.debian.org)", undefined],
  ["", undefined],
])("the kernel %j is that of WSL %s", (kernel, version) => {
  expect(wslVersion({ kernel })).toBe(version);
  const words = systemWords(system(UBUNTU, { kernel }));
  expect(words).toBe(
    version === undefined ? "Ubuntu 24.04.1 LTS" : `Ubuntu 24.04.1 LTS, in WSL ${String(version)}`,
  );
});
