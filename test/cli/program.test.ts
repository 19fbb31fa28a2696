import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repositoryRoot } from "../tidy/repository.ts";
import { WispRig } from "./wisp-rig.ts";

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

const COMMANDS = [
  "demo",
  "init",
  "tasks",
  "list",
  "start",
  "up",
  "resume",
  "update",
  "attach",
  "restart",
  "done",
  "abandon",
  "prune",
  "cost",
  "report",
  "watch",
  "tail",
  "why",
  "plan",
  "help",
  "stop",
  "answer",
  "status",
  "log",
  "logs",
  "findings",
  "engines",
  "agent",
  "fsck",
  "doctor",
  "completion",
];

test("--version prints the version of the package", async () => {
  const manifest: unknown = JSON.parse(await readFile(`${repositoryRoot}/package.json`, "utf8"));
  const { code, stdout } = await rig.run(["--version"], { cwd: rig.root });
  expect(manifest).toMatchObject({ version: stdout.trim() });
  expect(code).toBe(0);
  expect((await rig.run(["-V"], { cwd: rig.root })).stdout).toBe(stdout);
});

test("the help lists every command except the hidden ones", async () => {
  const { code, stdout } = await rig.run(["--help"], { cwd: rig.root });
  expect(code).toBe(0);
  for (const command of COMMANDS) expect(stdout).toContain(`\n  ${command} `);
  expect(stdout).not.toMatch(/supervise|replay-turn|acp-turn|\n +complete /);
});

test.each(COMMANDS)("the help of %s has examples", async (command) => {
  const { code, stdout } = await rig.run([command, "--help"], { cwd: rig.root });
  expect(code).toBe(0);
  expect(stdout).toContain(`Examples:\n  wisp ${command}`);
});

test.each(["show", "dismiss", "add"])("the help of findings %s has examples", async (command) => {
  const { stdout } = await rig.run(["findings", command, "--help"], { cwd: rig.root });
  expect(stdout).toContain(`Examples:\n  wisp findings ${command}`);
});

test("`help exit-codes` explains each code", async () => {
  const { code, stdout } = await rig.run(["help", "exit-codes"], { cwd: rig.root });
  expect(code).toBe(0);
  const codes = stdout
    .trimEnd()
    .split("\n")
    .map((line) => Number.parseInt(line, 10));
  expect(codes).toEqual([0, 1, 2, 3, 4, 5, 6, 130]);
});

test("`help <command>` prints the help of that command", async () => {
  const [told, asked] = await Promise.all([
    rig.run(["help", "status"], { cwd: rig.root }),
    rig.run(["status", "--help"], { cwd: rig.root }),
  ]);
  expect(told).toEqual(asked);
});

test.each([
  [["statsu"], "Did you mean status?"],
  [["status", "--jsn"], "Did you mean --json?"],
  [["start"], "missing required argument 'request'"],
  [["logs", "gardener", "hedge"], "wisp logs takes one role (planner"],
  [["agent", "gardener"], "wisp agent needs a role (planner"],
  [["status", "one", "two"], "too many arguments"],
  [["help", "gardening"], "no help for 'gardening'"],
  [[], "Usage: wisp"],
])("%j is a usage error: exits with 2 and prints to standard error", async (words, message) => {
  const { code, stdout, stderr } = await rig.run(words, { cwd: rig.root });
  expect(stderr).toContain(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
});

test("--version loads no other file of the program", async () => {
  const program = await readFile(rig.packaged("dist", "wisp.js"), "utf8");
  expect(program).not.toMatch(/\bfrom\s*"\.|\bimport\s*"/);
  expect(program.length).toBeLessThan(4_000);
});
