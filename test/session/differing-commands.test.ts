import { expect, test } from "vitest";
import type { CommandSettings } from "../../src/fs-protocol/home/command-settings.ts";
import { differingCommands } from "../../src/session/commands/differing-commands.ts";

const BEFORE: CommandSettings = {
  ...{ setup: [["npm", "ci"]], build: [], verify: [["npm", "test"]] },
  ...{ verifyTimeoutMs: 600_000, env: ["A"] },
};

test("the same commands differ in nothing", () => {
  expect(differingCommands(BEFORE, { ...BEFORE, verify: [["npm", "test"]] })).toEqual([]);
});

test.each<readonly [key: string, Partial<CommandSettings>]>([
  ["setup", { setup: [] }],
  ["build", { build: [["make"]] }],
  // The same text, in other words.
  ["verify", { verify: [["npm test"]] }],
  ["verifyTimeout", { verifyTimeoutMs: 600_001 }],
  ["commands.env", { env: ["A", "B"] }],
])("a difference in %s alone is named by the key of the settings", (key, fields) => {
  expect(differingCommands(BEFORE, { ...BEFORE, ...fields }).map((one) => one.key)).toEqual([key]);
});

test("what differs is told word for word, of both", () => {
  const after = {
    ...BEFORE,
    verify: [
      ["npm", "ci"],
      ["npm", "run", "unit"],
    ],
    verifyTimeoutMs: 90_500,
  };
  expect(differingCommands(BEFORE, after)).toEqual([
    {
      key: "verify",
      before: [["npm", "test"]],
      after: [
        ["npm", "ci"],
        ["npm", "run", "unit"],
      ],
    },
    { key: "verifyTimeout", before: [["600s"]], after: [["90.5s"]] },
  ]);
});
