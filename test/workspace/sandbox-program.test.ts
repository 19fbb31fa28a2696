import { expect, test } from "vitest";
import { noSandboxWords } from "../../src/workspace/sandbox-program.ts";

const NONE = { network: true, commands: true, deny: [], allow: [], write: [], domains: [] };

test("a session without a sandbox explains it in one line, unless its settings turned the sandbox off", () => {
  const missing = { ...NONE, kind: "none" as const, missing: "bubblewrap is not installed" };
  expect(noSandboxWords(missing, "to install it: x")).toEqual([
    "no sandbox (bubblewrap is not installed): engines can read and change whatever you can; to install it: x (docs/SANDBOX.md)",
  ]);
  expect(noSandboxWords({ ...NONE, kind: "none" })).toEqual([]);
  expect(noSandboxWords(undefined)).toEqual([]);
});
