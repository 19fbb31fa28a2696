import { expect, test } from "vitest";
import { installBubblewrap, noSandboxWords } from "../../src/workspace/sandbox-program.ts";

const NONE = { network: true, commands: true, deny: [], allow: [], write: [], domains: [] };

test.each([
  ['PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\n', "sudo apt install bubblewrap"],
  ['ID=linuxmint\nID_LIKE="ubuntu debian"\n', "sudo apt install bubblewrap"],
  ["ID=fedora\nVERSION_ID=41\n", "sudo dnf install bubblewrap"],
  ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', "sudo dnf install bubblewrap"],
  ["ID=manjaro\nID_LIKE=arch\n", "sudo pacman -S bubblewrap"],
  ["ID='opensuse-tumbleweed'\nID_LIKE='opensuse suse'\n", "sudo zypper install bubblewrap"],
  ["ID=toString\n", "the package bubblewrap of your system"],
  ["", "the package bubblewrap of your system"],
])("on a system with %j, bubblewrap is installed by: %s", (text, command) => {
  expect(installBubblewrap(text)).toBe(command);
});

test("a session without a sandbox explains it in one line, unless its settings turned the sandbox off", () => {
  const missing = { ...NONE, kind: "none" as const, missing: "bubblewrap is not installed" };
  expect(noSandboxWords(missing, "to install it: x")).toEqual([
    "no sandbox (bubblewrap is not installed): engines can read and change whatever you can; to install it: x (docs/SANDBOX.md)",
  ]);
  expect(noSandboxWords({ ...NONE, kind: "none" })).toEqual([]);
  expect(noSandboxWords(undefined)).toEqual([]);
});
