import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { WispRig } from "./wisp-rig.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

/*
 * The output of commands for their readers: a program that asks for JSON, a reader that closes the pipe early, and a
 * person at a terminal or not.
 */

let rig: WispRig;
let repository = "";
beforeAll(async () => {
  rig = await WispRig.create();
  repository = await rig.repository("project", { "a.txt": "a\n" });
});
afterAll(() => rig[Symbol.asyncDispose]());

/** What a shell prints on standard error, and its exit code. */
function shell(line: string): Promise<{ readonly code: number; readonly stderr: string }> {
  const env = ownEnvironment({ HOME: rig.root, NODE: process.execPath });
  const wisp = `wisp() { "$NODE" '${rig.packaged("dist", "wisp.js")}' "$@"; }; `;
  return new Promise((resolve) => {
    execFile("bash", ["-c", wisp + line], { cwd: repository, env }, (error, _, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stderr });
    });
  });
}

test.each([
  "wisp --help | head -n 1",
  "wisp --help | true",
  "wisp done --help | true",
  "wisp help | true",
  "wisp help exit-codes | true",
  "wisp engines | true",
  "wisp --version | true",
])("%s: prints no error if the reader closes the pipe early", async (line) => {
  expect(await shell(line)).toEqual({ code: 0, stderr: "" });
});

const Said = z.object({
  schema: z.string(),
  error: z.object({ code: z.string(), message: z.string(), next: z.array(z.string()) }),
});

/** The single object on standard output. */
async function refusedAsJson(
  words: readonly string[],
): Promise<{ code: number; said: z.infer<typeof Said> }> {
  const { code, stdout } = await rig.run(words, { cwd: repository });
  return { code, said: Said.parse(JSON.parse(stdout)) };
}

test.each([
  [["status", "--json", "--wrong"], 2, "usage"],
  [["findings", "show", "--json"], 2, "usage"],
  [["cost", "--json", "--by", "weather"], 2, "usage"],
  [["init", "--template", "odd", "--json"], 2, "usage"],
  [["nonsense", "--json"], 2, "usage"],
  [["logs", "--json"], 2, "usage"],
  [["stop", "--json"], 3, "no-such-session"],
  [["start", "--json"], 2, "usage"],
  [["status", "--json", "nowhere"], 3, "no-such-session"],
  [["findings", "--json", "nowhere"], 3, "no-such-session"],
  [["start", "missing.md", "--json"], 2, "request-missing"],
  [["done", "--json"], 3, "no-such-session"],
  [["review", "--json"], 3, "no-such-session"],
  [["revise", "--json"], 3, "no-such-session"],
  [["abandon", "--json", "--yes"], 3, "no-such-session"],
  [["fsck", "--json"], 3, "no-such-session"],
] as const)("%s under --json prints one object on standard output", async (words, code, kind) => {
  const refused = await refusedAsJson(words);
  expect(refused.code).toBe(code);
  expect(refused.said.schema).toBe("wisp.error/1");
  expect(refused.said.error.code).toBe(kind);
  expect(refused.said.error.message).toMatch(/\S/u);
});

test("--json after -- is an argument, not the option", async () => {
  const { stdout, stderr, code } = await rig.run(["cost", "--wrong", "--", "--json"], {
    cwd: repository,
  });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("unknown option '--wrong'");
});

test("the JSON output of every list names its schema", async () => {
  for (const command of ["engines", "list", "doctor"]) {
    const { stdout } = await rig.run([command, "--json"], { cwd: repository });
    expect(JSON.parse(stdout)).toHaveProperty("schema", `wisp.${command}/1`);
  }
});

test("a damaged session.json is reported with its file and field", async () => {
  const home = join(repository, ".wisp", "sessions", "broken");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "session.json"), "");
  const empty = await refusedAsJson(["status", "--json", "broken"]);
  expect(empty.said.error.message).toContain("session.json is damaged: it does not contain JSON.");
  writeFileSync(join(home, "session.json"), '{"version": 2, "id": 7}');
  const wrong = await refusedAsJson(["status", "--json", "broken"]);
  expect(wrong.said.error.message).toContain(
    "session.json is damaged: id is a number, where a string belongs.",
  );
});

test("accepts a role and a session in either order, and reports a missing role", async () => {
  for (const words of [
    ["logs", "nowhere"],
    ["logs", "builder", "nowhere"],
    ["logs", "nowhere", "builder"],
    ["restart", "nowhere", "tester"],
    ["agent", "tester", "nowhere"],
  ]) {
    const { code, stderr } = await rig.run(words, { cwd: repository });
    expect([words, code]).toEqual([words, 3]);
    expect(stderr).toContain("nowhere");
  }
  const { code, stderr } = await rig.run(["restart", "request"], { cwd: repository });
  expect(code).toBe(2);
  expect(stderr).toContain(
    "wisp restart needs a role (planner, builder, reviewer, tester), and request is not one",
  );
});
