import { chmodSync, readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hookInTrace, prePushRun } from "../../src/git/remote/pre-push-hook.ts";
import { BRANCH, createRig, write, type Rig } from "./rig.ts";

test("git runs the hook in a dry run, and its trace says how the hook ended", async () => {
  using rig = createRig();
  const remote = addRemote(rig);
  expect(await run(rig)).toEqual({ kind: "none" });
  // The hook's own git commands are in the trace, too.
  hook(rig, "git rev-parse HEAD; exit 5");
  expect(await run(rig)).toEqual({ kind: "exited", exitCode: 5 });
  hook(rig, "git rev-parse --verify gone; true");
  expect(await run(rig)).toEqual({ kind: "exited", exitCode: 0 });
  expect(rig.git(["for-each-ref"], remote)).toBe("");
});

test("a hook is told the branch by its name, or the commit where the branch is elsewhere", async () => {
  using rig = createRig();
  addRemote(rig);
  hook(rig, `cat > '${join(rig.root, "told")}'`);
  const at = rig.git(["rev-parse", BRANCH]).trim();
  const none = "0".repeat(at.length);
  await run(rig);
  const told = () => readFileSync(join(rig.root, "told"), "utf8");
  expect(told()).toBe(`refs/heads/${BRANCH} ${at} refs/heads/${BRANCH} ${none}\n`);
  rig.git(["checkout", "--quiet", BRANCH]);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "later"]);
  await run(rig, at);
  expect(told()).toBe(`${at} ${at} refs/heads/${BRANCH} ${none}\n`);
});

test("a trace that says nothing is no end of a hook", () => {
  expect(hookInTrace("")).toEqual({ kind: "unknown" });
  expect(hookInTrace("no JSON\n{}\n")).toEqual({ kind: "unknown" });
  const start = { event: "child_start", sid: "a", child_id: 0 };
  const hooked = { ...start, child_class: "hook", hook_name: "pre-push" };
  expect(hookInTrace(JSON.stringify(start))).toEqual({ kind: "none" });
  expect(hookInTrace(JSON.stringify(hooked))).toEqual({ kind: "unknown" });
  const end = { event: "child_exit", sid: "a/b", child_id: 0, code: 0 };
  const lines = [hooked, end].map((one) => JSON.stringify(one));
  expect(hookInTrace(lines.join("\n"))).toEqual({ kind: "unknown" });
});

function addRemote(rig: Rig): string {
  const remote = join(rig.root, "remote.git");
  rig.git(["init", "--quiet", "--bare", remote], rig.root);
  rig.git(["remote", "add", "origin", remote]);
  return remote;
}

function hook(rig: Rig, line: string): void {
  const path = join(rig.hub.directory, ".git", "hooks", "pre-push");
  write(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}

/** Runs what `prePushRun` says, and reads the trace. */
async function run(rig: Rig, at = rig.git(["rev-parse", BRANCH]).trim()) {
  const { directory } = rig.hub;
  const trace = join(rig.root, `trace-${String(Math.random())}`);
  const push = { directory, remote: "origin", branch: BRANCH, at };
  const { args, env } = await prePushRun(rig.context, push, trace);
  try {
    execFileSync("git", args, { cwd: directory, env, stdio: ["ignore", "ignore", "ignore"] });
  } catch {
    // The trace says why.
  }
  return hookInTrace(readFileSync(trace, "utf8"));
}
