import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pushRemote } from "../../src/git/remote/push-remote.ts";
import { BRANCH, createRig, value, write, type Rig } from "./rig.ts";
import { eventually } from "../rig/patience.ts";

test("pushes a commit to the remote's branch, and pushing it again succeeds", async () => {
  using rig = createRig();
  const remote = addRemote(rig);
  value(await push(rig));
  expect(rig.git(["rev-parse", BRANCH], remote)).toBe(rig.git(["rev-parse", BRANCH]));
  value(await push(rig));
});

test("a remote that has other commits rejects the push and keeps them", async () => {
  using rig = createRig();
  const remote = addRemote(rig);
  const other = join(rig.root, "other");
  value(await push(rig));
  rig.git(["clone", "--quiet", "--branch", BRANCH, remote, other], rig.root);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "theirs"], other);
  rig.git(["push", "--quiet", "origin", BRANCH], other);
  rig.git(["checkout", "--quiet", BRANCH]);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "ours"]);
  const theirs = rig.git(["rev-parse", BRANCH], remote);
  expect(await push(rig)).toEqual({ ok: false, failure: { kind: "rejected" } });
  expect(rig.git(["rev-parse", BRANCH], remote)).toBe(theirs);
});

test("reports a remote's own rule with the remote's message", async () => {
  using rig = createRig();
  const remote = addRemote(rig);
  hook(join(remote, "hooks", "pre-receive"), "echo protected >&2; exit 1");
  expect(await push(rig)).toMatchObject({ failure: { kind: "git", operation: "push" } });
  expect(JSON.stringify(await push(rig))).toContain("protected");
});

test("a missing remote is unreachable, and the message contains no credentials", async () => {
  using rig = createRig();
  for (const remote of ["nowhere", join(rig.root, "missing"), "--upload-pack=touch x"]) {
    expect(await push(rig, remote)).toMatchObject({ failure: { kind: "unreachable" } });
  }
  const secret = await push(rig, "https://user:hunter2@127.0.0.1:1/x.git");
  expect(secret).toMatchObject({ failure: { kind: "unreachable" } });
  expect(JSON.stringify(secret)).not.toContain("hunter2");
});

test("gives up on a remote that falls silent", async () => {
  using rig = createRig();
  const remote = addRemote(rig);
  hook(join(remote, "hooks", "pre-receive"), "exec sleep 30");
  expect(await push(rig, "origin", { silenceMsMax: 300 })).toMatchObject({
    failure: { kind: "unreachable" },
  });
});

test("an abort ends a push at once", async () => {
  using rig = createRig();
  const remote = addRemote(rig);
  const begun = join(rig.root, "begun");
  hook(join(remote, "hooks", "pre-receive"), `touch ${begun}; exec sleep 30`);
  const abort = new AbortController();
  const pushed = push(rig, "origin", { silenceMsMax: 60_000, signal: abort.signal });
  await eventually(() => expect(existsSync(begun)).toBe(true));
  abort.abort();
  expect(await pushed).toMatchObject({ failure: { kind: "unreachable" } });
});

test("runs none of the user's hooks before a push", async () => {
  using rig = createRig();
  addRemote(rig);
  hook(
    join(rig.hub.directory, ".git", "hooks", "pre-push"),
    `touch ${join(rig.root, "ran")}; exit 1`,
  );
  value(await push(rig));
  expect(existsSync(join(rig.root, "ran"))).toBe(false);
});

function addRemote(rig: Rig): string {
  const remote = join(rig.root, "remote.git");
  rig.git(["init", "--quiet", "--bare", remote], rig.root);
  rig.git(["remote", "add", "origin", remote]);
  return remote;
}

function push(
  rig: Rig,
  remote = "origin",
  { silenceMsMax = 10_000, signal }: { silenceMsMax?: number; signal?: AbortSignal } = {},
) {
  const { directory } = rig.hub;
  const at = rig.git(["rev-parse", BRANCH]).trim();
  return pushRemote(rig.context, { directory, remote, branch: BRANCH, at, silenceMsMax, signal });
}

function hook(path: string, line: string): void {
  write(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}
