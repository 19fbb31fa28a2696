import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Oid } from "../../src/base/oid.ts";
import {
  fetchRemote,
  forgetRemote,
  knownTips,
  type RemoteCheck,
  remoteRef,
  remoteRelation,
} from "../../src/git/remote/remote-branch.ts";
import { openHub } from "../../src/git/repository/hub.ts";
import { BRANCH, commit, createRig, refs, value, write, type Rig } from "./rig.ts";

const BRANCH_OF = { remote: "origin", branch: BRANCH, session: "first" } as const;

test("the one branch is fetched, into a reference of wisp's, and nothing of the user's is moved", async () => {
  using rig = createRig();
  const theirs = colleague(rig);
  const tip = theirs("theirs.txt");
  rig.git(["tag", "v1", tip], join(rig.root, "theirs"));
  rig.git(["push", "--quiet", "origin", "v1", "HEAD:refs/heads/extra"], join(rig.root, "theirs"));
  const before = [refs(rig, "refs/remotes"), refs(rig, "refs/tags"), refs(rig, "refs/heads")];
  expect(value(await look(rig))).toBe(tip);
  expect(rig.git(["rev-parse", remoteRef("first")]).trim()).toBe(tip);
  expect([refs(rig, "refs/remotes"), refs(rig, "refs/tags"), refs(rig, "refs/heads")]).toEqual(
    before,
  );
});

test("a session and its revisions each keep a tip; removing the session's tips leaves those of other sessions", async () => {
  using rig = createRig();
  const tip = colleague(rig)("theirs.txt");
  for (const session of ["first", "first/revision-1", "first-2"]) {
    expect(value(await look(rig, { session }))).toBe(tip);
  }
  const { directory } = rig.hub;
  const forget = () => forgetRemote(rig.context, { directory, session: "first" });
  for (const forgotten of [await forget(), await forget()]) {
    value(forgotten);
    expect(refs(rig, "refs/wisp/remote").map((line) => line.split(" ").at(-1))).toEqual([
      remoteRef("first-2"),
    ]);
  }
});

test("the last known tips of a remote are available with their times, without asking it", async () => {
  using rig = createRig();
  const theirs = colleague(rig);
  const known = () => knownTips(rig.context, { ...BRANCH_OF, directory: rig.hub.directory });
  const [pushed] = await known();
  const tip = theirs("one.txt");
  value(await look(rig));
  const [same, seen] = await known();
  expect([same, seen?.oid]).toEqual([pushed, tip]);
  expect(seen?.seenMs).toBeGreaterThanOrEqual(pushed?.seenMs ?? Infinity);
  // Fetched long ago and again: the time is that of the last fetch, though nothing has moved.
  rig.git(["update-ref", "--no-deref", "-d", remoteRef("first")]);
  rig.git(["-c", "core.logAllRefUpdates=always", "update-ref", remoteRef("first"), tip]);
  value(await look(rig));
  const reflog = rig.git(["reflog", "show", "--format=%H", remoteRef("first")]);
  expect(reflog.trim().split("\n")).toEqual([tip]);
  // What the user fetches counts, too; the remote has moved on by then.
  const later = theirs("two.txt");
  rig.git(["fetch", "--quiet", "origin"]);
  expect((await known()).map(({ oid }) => oid)).toEqual([later, tip]);
});

test("an absent branch and a rewritten one are reported as such", async () => {
  using rig = createRig();
  rig.git(["init", "--quiet", "--bare", join(rig.root, "empty.git")]);
  expect(value(await look(rig, { remote: join(rig.root, "empty.git") }))).toBeUndefined();
  const theirs = colleague(rig);
  theirs("one.txt");
  value(await look(rig));
  rig.git(["reset", "--quiet", "--hard", "HEAD^"], join(rig.root, "theirs"));
  const tip = theirs("other.txt", true);
  expect(value(await look(rig))).toBe(tip);
});

test("a remote that does not exist, or falls silent, is unreachable, and the message has no credentials", async () => {
  using rig = createRig();
  for (const remote of ["nowhere", join(rig.root, "missing"), "--upload-pack=touch x"]) {
    expect(await look(rig, { remote })).toMatchObject({ failure: { kind: "unreachable" } });
  }
  const secret = await look(rig, { remote: "https://user:hunter2@127.0.0.1:1/x.git" });
  expect(secret).toMatchObject({ failure: { kind: "unreachable" } });
  expect(JSON.stringify(secret)).not.toContain("hunter2");
  const silent = join(rig.root, "silent");
  write(silent, "#!/bin/sh\nexec sleep 30\n");
  chmodSync(silent, 0o755);
  rig.git(["config", "remote.slow.url", join(rig.root, "hub")]);
  rig.git(["config", "remote.slow.uploadpack", silent]);
  expect(await look(rig, { remote: "slow", silenceMsMax: 300 })).toMatchObject({
    failure: { kind: "unreachable" },
  });
});

test("the user's hooks do not run during a fetch", async () => {
  using rig = createRig();
  const theirs = colleague(rig);
  const tip = theirs("theirs.txt");
  const hook = join(rig.hub.directory, ".git", "hooks", "reference-transaction");
  write(hook, "#!/bin/sh\nexit 1\n");
  chmodSync(hook, 0o755);
  expect(value(await look(rig))).toBe(tip);
});

test("the relation of two branches is computed from their commits", async () => {
  using rig = createRig();
  const theirs = colleague(rig);
  const base = (await rig.hub.head(BRANCH)) ?? "";
  const relation = (head: Oid, tip: Oid | undefined) =>
    remoteRelation(rig.context, rig.hub.directory, { head, tip });
  const tip = theirs("theirs.txt");
  value(await look(rig));
  expect(await relation(base, undefined)).toBe("behind");
  expect(await relation(base, base)).toBe("same");
  expect(await relation(base, tip)).toBe("ahead");
  expect(await relation(tip, base)).toBe("behind");
  const ours = await publish(rig, "ours.txt");
  expect(await relation(ours, tip)).toBe("apart");
});

test("a merge joins both branches, only once; a conflict is named and leaves nothing behind", async () => {
  using rig = createRig();
  const theirs = colleague(rig);
  const tip = theirs("theirs.txt");
  value(await look(rig));
  const clone = await rig.clone("builder");
  expect(value(await clone.joinRemote(tip, "join"))).toEqual({ head: tip });
  const ours = await publish(rig, "ours.txt");
  const { head } = value(await clone.joinRemote(tip, "join"));
  expect(rig.git(["rev-list", "--parents", "-1", head], clone.directory).trim()).toBe(
    `${head} ${ours} ${tip}`,
  );
  expect(value(await clone.joinRemote(tip, "join"))).toEqual({ head });
  const other = await publish(rig, "theirs.txt", "another\n");
  expect(await clone.joinRemote(tip, "join")).toEqual({
    ok: false,
    failure: { kind: "conflict", paths: ["theirs.txt"] },
  });
  expect(value(await clone.head())).toBe(other);
  expect(value(await clone.isDirty())).toBe(false);
});

test("commits already processed stay in front, even after a foreign merge of ours", async () => {
  using rig = createRig();
  const base = (await rig.hub.head(BRANCH)) ?? "";
  const directory = join(rig.root, "theirs");
  const theirs = colleague(rig);
  rig.git(["remote", "add", "hub", rig.hub.directory], directory);
  const one = theirs("one.txt");
  const ours = await publish(rig, "ours.txt");
  rig.git(["fetch", "--quiet", "hub", BRANCH], directory);
  // Like `git pull`: their commit is the first parent.
  rig.git(["merge", "--quiet", "--no-edit", "FETCH_HEAD"], directory);
  const both = rig.git(["rev-parse", "HEAD"], directory).trim();
  rig.git(["push", "--quiet", "origin", BRANCH], directory);
  value(await look(rig));
  const anew = () => openHub(rig.context, rig.hub.directory);
  expect(value(await anew().commits(base, both))).toEqual([one, ours, both]);
  expect(value(await anew().commits(base, both, ours))).toEqual([ours, one, both]);
  // Also if fewer commits are requested in between.
  const hub = anew();
  expect(value(await hub.commits(base, both, ours))).toEqual([ours, one, both]);
  expect(value(await hub.commits(base, one))).toEqual([one]);
  const more = theirs("more.txt");
  value(await look(rig));
  expect(value(await hub.commits(base, more))).toEqual([ours, one, both, more]);
  const gone = "f".repeat(40);
  expect(value(await anew().commits(base, both, gone))).toEqual([one, ours, both]);
});

/** A bare remote with the session's branch, and a clone of it from which somebody pushes commits. */
function colleague(rig: Rig): (name: string, force?: boolean) => Oid {
  const remote = join(rig.root, "remote.git");
  const directory = join(rig.root, "theirs");
  rig.git(["init", "--quiet", "--bare", remote]);
  rig.git(["remote", "add", "origin", remote]);
  rig.git(["push", "--quiet", "origin", BRANCH]);
  rig.git(["clone", "--quiet", "--branch", BRANCH, remote, directory], rig.root);
  return (name, force = false) => {
    write(join(directory, name), `${name} of theirs\n`);
    rig.git(["add", "--all"], directory);
    rig.git(["commit", "--quiet", "-m", `theirs: ${name}`], directory);
    rig.git(
      ["push", "--quiet", ...(force ? ["--force"] : []), "origin", `HEAD:${BRANCH}`],
      directory,
    );
    return rig.git(["rev-parse", "HEAD"], directory).trim();
  };
}

async function publish(rig: Rig, name: string, content?: string): Promise<Oid> {
  const clone = await rig.clone("other");
  value(await clone.syncTo());
  const made = await commit(clone, name, content);
  value(await clone.publish(made));
  return made;
}

function look(rig: Rig, fields: Partial<RemoteCheck> = {}) {
  const { directory } = rig.hub;
  return fetchRemote(rig.context, {
    directory,
    remote: "origin",
    branch: BRANCH,
    session: "first",
    silenceMsMax: 60_000,
    ...fields,
  });
}
