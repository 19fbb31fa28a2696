import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { notifyCommand } from "../../src/cli/processes/notify-command.ts";

const bin = mkdtempSync(join(tmpdir(), "wisp-"));
const program = join(bin, "notify-send");
writeFileSync(program, "#!/bin/sh\n");
chmodSync(program, 0o755);
afterAll(() => {
  rmSync(bin, { recursive: true });
});

const desktop = { PATH: bin, DISPLAY: ":0" };

test("on a desktop, uses notify-send so that the text can be neither an option nor markup", () => {
  const command = notifyCommand({ env: desktop, cwd: "/" }, {});
  expect(command).toMatchObject({ isMarkup: true, env: desktop });
  expect(command?.argv.slice(0, 1)).toEqual(["notify-send"]);
  expect(command?.argv).toContain("--");
});

test("runs nothing without a desktop, without notify-send, or if the settings turn it off", () => {
  expect(notifyCommand({ env: { PATH: bin }, cwd: "/" }, {})).toBeUndefined();
  expect(notifyCommand({ env: { PATH: "/nowhere", DISPLAY: ":0" }, cwd: "/" }, {})).toBeUndefined();
  expect(notifyCommand({ env: desktop, cwd: "/" }, { notify: [] })).toBeUndefined();
});

test("prefers the command of the settings to notify-send", () => {
  const command = notifyCommand({ env: desktop, cwd: "/" }, { notify: ["curl", "-d"] });
  expect(command?.argv).toEqual(["curl", "-d"]);
});
