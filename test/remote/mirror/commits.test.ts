import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Oid } from "../../../src/base/oid.ts";
import { readBranchApart } from "../../../src/git/repository/branch-apart.ts";
import { branchStep } from "../../../src/remote/branch/branch-step.ts";
import { bundleSince, type SentCommits } from "../../../src/remote/mirror/bundle-since.ts";
import {
  followMirror,
  mirrorHead,
  placeRefs,
  takeBundle,
} from "../../../src/git/repository/mirror-branch.ts";
import { gitContext } from "../../../src/workspace/world.ts";
import { value } from "../../git/rig.ts";
import { mirrorRig } from "./rig.ts";

const RESCUE = "refs/wisp/rescue/demo/1";
const NOTHING: SentCommits = { head: undefined, rescues: undefined };

/** A session's repository, and a clone of it in which the session is mirrored. */
function commitsRig() {
  const rig = mirrorRig();
  const root = realpathSync(mkdtempSync(join(tmpdir(), "wisp-commits-")));
  const directory = join(root, "here");
  const here = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: directory, encoding: "utf8" }).trim();
  execFileSync("git", ["clone", "-q", rig.at.repository, directory]);
  here("config", "user.name", "Test");
  here("config", "user.email", "test@example.invalid");
  const hooks = join(directory, ".git", "hooks");
  mkdirSync(hooks, { recursive: true });
  for (const name of ["reference-transaction", "post-checkout", "post-merge", "update"]) {
    writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${join(root, "hook-ran")}\n`, {
      mode: 0o755,
    });
  }
  const context = gitContext(rig.world);
  const of = { directory, branch: "wisp/demo", session: "demo" };
  const side = rig.mirror();
  const taker = side.taker({
    onBundle: (path) => takeBundle(context, of, path),
    onRefs: (refs) => placeRefs(context, of, refs),
  });
  const { home, session } = rig.at;
  const ask = (sent: SentCommits, isFull = true) =>
    bundleSince(
      rig.world,
      { home, session },
      {
        ...{ sent, isFull, contents: undefined },
        send: async (bytes) => value(await taker.take(bytes)),
      },
    );
  return {
    ...{ rig, here, context, of, taker, ask, far: rig.at.git },
    hookRan: () => existsSync(join(root, "hook-ran")),
    /** Has the branch here follow, if that is due; returns why it waits. */
    follow: async (agreed?: Oid) => {
      const step = branchStep(value(await readBranchApart(context, of, agreed)));
      if (step.kind === "follow") value(await followMirror(context, of));
      return step.kind === "wait" ? step.why : undefined;
    },
    /** One more commit on a ref of the place. */
    commit: (ref: string, parent: string = ref) => {
      const commit = rig.at.git("commit-tree", "-p", parent, "-m", `on ${ref}`, `${parent}^{tree}`);
      rig.at.git("update-ref", ref, commit);
      return commit;
    },
    refs: () => here("for-each-ref", "--format=%(refname) %(objectname)").split("\n"),
    [Symbol.dispose]: () => {
      rig[Symbol.dispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const BRANCH = "refs/heads/wisp/demo";

test("the branch arrives, follows forward and back, and nothing else here is touched", async () => {
  using at = commitsRig();
  const untouched = at.refs();
  const status = at.here("status", "--porcelain");
  const one = at.commit(BRANCH);
  let sent = value(await at.ask(NOTHING));
  expect(sent.head).toBe(one);
  expect(await at.follow()).toBeUndefined();
  expect(at.here("rev-parse", BRANCH)).toBe(one);
  const two = at.commit(BRANCH);
  sent = value(await at.ask(sent, false));
  expect(await at.follow()).toBeUndefined();
  expect(at.here("rev-parse", BRANCH, "refs/wisp/mirror/demo").split("\n")).toEqual([two, two]);
  at.far("update-ref", BRANCH, one);
  sent = value(await at.ask(sent, false));
  expect(sent.head).toBe(one);
  expect(await mirrorHead(at.context, at.of)).toBe(one);
  // What was taken off there is not put back, though it is here.
  expect(await at.follow(Oid.parse(two))).toBe("diverged");
  expect(at.here("rev-parse", BRANCH)).toBe(two);
  const own = [`${BRANCH} ${two}`, `refs/wisp/mirror/demo ${one}`];
  expect(at.refs().filter((ref) => !own.includes(ref))).toEqual(untouched);
  expect(at.here("status", "--porcelain")).toBe(status);
  expect(existsSync(join(at.of.directory, ".git", "FETCH_HEAD"))).toBe(false);
  expect(at.hookRan()).toBe(false);
});

test("a branch that is checked out here, or has commits of its own, waits", async () => {
  using at = commitsRig();
  at.here("checkout", "-q", "-b", "wisp/demo", "main");
  const one = at.commit(BRANCH);
  value(await at.ask(NOTHING));
  rmSync(join(at.of.directory, "../hook-ran"), { force: true });
  expect(await at.follow()).toBe("checked-out");
  expect(at.here("rev-parse", "HEAD")).not.toBe(one);
  at.here("-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", "own");
  at.here("-c", "core.hooksPath=/dev/null", "checkout", "-q", "main");
  const own = at.here("rev-parse", BRANCH);
  expect(await at.follow()).toBe("diverged");
  expect(at.here("rev-parse", BRANCH)).toBe(own);
  expect(await mirrorHead(at.context, at.of)).toBe(one);
  expect(at.hookRan()).toBe(false);
});

test("saved work arrives, also if its commit is known already and no bundle can be made of it", async () => {
  using at = commitsRig();
  const one = at.commit(BRANCH);
  let sent = value(await at.ask(NOTHING));
  at.far("update-ref", RESCUE, one);
  sent = value(await at.ask(sent));
  expect(at.here("rev-parse", RESCUE)).toBe(one);
  const work = at.commit("refs/wisp/rescue/demo/revision-1/2", one);
  at.far("update-ref", "refs/wisp/rescue/other/1", one);
  sent = value(await at.ask(sent));
  expect(at.here("rev-parse", "refs/wisp/rescue/demo/revision-1/2")).toBe(work);
  expect(at.here("for-each-ref", "refs/wisp/rescue/other")).toBe("");
  // A later connection knows only of the branch.
  at.here("update-ref", "-d", RESCUE);
  value(await at.ask({ head: sent.head, rescues: undefined }));
  expect(at.here("rev-parse", RESCUE)).toBe(one);
});

test("the work of a session without a branch arrives at a follower that has nothing of it", async () => {
  using at = commitsRig();
  const work = at.commit("refs/wisp/rescue/demo/abandoned", BRANCH);
  at.far("update-ref", "-d", BRANCH);
  value(await at.ask(NOTHING));
  expect(at.here("rev-parse", "refs/wisp/rescue/demo/abandoned")).toBe(work);
});

test("more saved work than one frame names arrives", async () => {
  using at = commitsRig();
  const base = at.far("rev-parse", BRANCH);
  const names = Array.from({ length: 130 }, (_, index) => `refs/wisp/rescue/demo/${String(index)}`);
  for (const name of names) at.far("update-ref", name, base);
  value(await at.ask(NOTHING));
  const listed = at
    .here("for-each-ref", "--format=%(refname)", "refs/wisp/rescue/demo")
    .split("\n");
  expect(listed.sort()).toEqual(names.sort());
});

test("a follower that has the branch already is sent no history", async () => {
  using at = commitsRig();
  at.here("update-ref", BRANCH, at.far("rev-parse", BRANCH));
  const head = await mirrorHead(at.context, at.of);
  expect(head).toBe(at.far("rev-parse", BRANCH));
  const kinds: string[] = [];
  const { home, session } = at.rig.at;
  const send = (bytes: Uint8Array) =>
    Promise.resolve(void kinds.push(Buffer.from(bytes).toString().slice(9, 13)));
  value(
    await bundleSince(
      at.rig.world,
      { home, session },
      {
        ...{ sent: { head, rescues: undefined }, isFull: true, contents: undefined, send },
      },
    ),
  );
  expect(kinds).toEqual(["refs"]);
});

test("a bundle that cannot be made is a failure, and counts as not sent", async () => {
  using at = commitsRig();
  at.commit(BRANCH);
  rmSync(at.rig.at.session.state, { recursive: true });
  expect(await at.ask(NOTHING)).toMatchObject({ ok: false, failure: { kind: "git" } });
});

test("refs that are not the session's, or whose commits are not here, are not made", async () => {
  using at = commitsRig();
  const before = at.refs();
  const main = at.here("rev-parse", "main");
  const names = ["refs/heads/main", "refs/wisp/mirror/other", "refs/wisp/rescue/other/1", "HEAD"];
  value(
    await placeRefs(
      at.context,
      at.of,
      names.map((ref) => ({ ref, oid: main })),
    ),
  );
  const absent = { ref: RESCUE, oid: "1".repeat(40) };
  const tree = { ref: RESCUE, oid: at.here("rev-parse", "main^{tree}") };
  const out = { ref: "refs/wisp/rescue/demo/../../../heads/x", oid: main };
  for (const bad of [absent, tree, out]) {
    expect(await placeRefs(at.context, at.of, [bad])).toMatchObject({ ok: false });
  }
  expect(at.refs()).toEqual(before);
  expect(at.hookRan()).toBe(false);
});

test("what is no bundle is refused, and leaves nothing", async () => {
  using at = commitsRig();
  const before = at.refs();
  const header = JSON.stringify({ kind: "bundle", isFirst: true, isLast: true, bytes: 12 });
  const taken = await at.taker.take(
    Buffer.from(`${header}\ngitdir: /etc\n`.slice(0, header.length + 13)),
  );
  expect(taken).toMatchObject({ ok: false, failure: { kind: "git" } });
  expect(at.refs()).toEqual(before);
  expect(existsSync(join(at.rig.mirror().scratch, "mirror.bundle"))).toBe(false);
});
