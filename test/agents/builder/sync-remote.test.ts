import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../rig/patience.ts";
import { scratch } from "../../host/scratch.ts";
import { BRANCH, movedRemote, type MovedRemote } from "./moved-remote-rig.ts";

const headOf = ({ rig }: MovedRemote) => rig.at.git("rev-parse", BRANCH);

test("at a boundary the branch, and nothing else, is pushed to the remote", async () => {
  using at = await movedRemote();
  expect(at.pushes()).toMatchObject([{ outcome: "pushed", at: at.rig.session.base }]);
  expect(at.rig.at.git("ls-remote", "origin")).toBe(`${at.rig.session.base}\trefs/heads/${BRANCH}`);
});

test("seed 003 D: the branch is fast-forwarded to a remote that is ahead, and nothing of the user's is touched", async () => {
  using at = await movedRemote();
  const tip = at.theyPush("theirs.txt", "theirs\n");
  const before = at.rig.at.git("for-each-ref", "refs/remotes", "refs/tags");
  await at.look();
  expect(headOf(at)).toBe(tip);
  expect(at.pushes().at(-1)).toMatchObject({ outcome: "pushed", at: tip, took: tip });
  expect(at.rig.at.git("for-each-ref", "refs/remotes", "refs/tags")).toBe(before);
  expect(at.rig.at.git("status", "--porcelain")).not.toContain("theirs.txt");
});

test("seed 003 D: if both sides moved, one merge commit joins them, and nothing is rewritten", async () => {
  using at = await movedRemote();
  const tip = at.theyPush("theirs.txt", "theirs\n");
  const ours = await at.wePublish("ours.txt", "ours\n");
  await at.look();
  const head = headOf(at);
  expect(at.rig.at.git("rev-parse", `${head}^1`, `${head}^2`).split("\n")).toEqual([ours, tip]);
  expect(at.rig.at.git("log", "-1", "--format=%an <%ae> %cn", head)).toBe(
    "Test <test@example.invalid> Test",
  );
  expect(at.atRemote()).toBe(head);
  expect(at.pushes().at(-1)).toMatchObject({ outcome: "pushed", at: head, took: tip });
  // Even in a new process our commits, which may be reviewed already, come before theirs.
  const { branch } = await at.rig.at.state();
  expect(branch.commits).toEqual([ours, tip, head]);
});

test("the merge commit of a revision has the same prefix as its other commits", async () => {
  using directory = scratch();
  const parent = { id: "shop", revision: 1, asked: [], state: directory.path };
  using at = await movedRemote([], { ...parent, how: "revise" });
  at.theyPush("theirs.txt", "theirs\n");
  await at.wePublish("ours.txt", "ours\n");
  await at.look();
  expect(at.rig.at.git("log", "-1", "--format=%s", headOf(at))).toBe(
    "[Revision] Merge branch 'wisp/demo' of origin",
  );
});

test("a merge on which verify is red is not published, and a person is asked", async () => {
  using at = await movedRemote([["sh", "-c", "! test -f bad.txt || ! test -f ours.txt"]]);
  at.theyPush("bad.txt", "bad\n");
  const ours = await at.wePublish("ours.txt", "ours\n");
  await at.look();
  expect(headOf(at)).toBe(ours);
  const [asked] = at.pushes().slice(-1);
  expect(asked).toMatchObject({ outcome: "needs_input", question: "builder-1" });
  expect(asked?.["ask"]).toMatch(
    /^origin, branch wisp\/demo, has commits with which verify is red/u,
  );
});

test("a conflict names remote, branch, files and commands, and changes nothing", async () => {
  using at = await movedRemote();
  const tip = at.theyPush("same.txt", "theirs\n");
  const ours = await at.wePublish("same.txt", "ours\n");
  await at.look();
  expect([headOf(at), at.atRemote()]).toEqual([ours, tip]);
  const asked = String(at.pushes().at(-1)?.["ask"]);
  expect(asked).toContain(
    "origin, branch wisp/demo, has commits that conflict with those here, in same.txt.",
  );
  expect(asked).toContain("`git switch wisp/demo && git pull --no-rebase origin wisp/demo`");
  expect(asked).toContain(`answer "leave"`);
  const clone = await at.builder.context.clone();
  expect(await clone.isDirty()).toEqual({ ok: true, value: false });
});

test("a person's own merge is pushed at the next synchronization", async () => {
  using at = await movedRemote();
  at.theyPush("same.txt", "theirs\n");
  await at.wePublish("same.txt", "ours\n");
  const { git } = at.rig.at;
  git("switch", "-q", BRANCH);
  git("fetch", "-q", "origin", BRANCH);
  git("merge", "-q", "-s", "ours", "-m", "by hand", "FETCH_HEAD");
  git("switch", "-q", "main");
  await at.look();
  expect(at.atRemote()).toBe(headOf(at));
});

test("a rewritten remote is never overwritten: a person is asked, and may have both joined", async () => {
  using at = await movedRemote();
  const ours = await at.wePublish("ours.txt", "ours\n");
  await at.look();
  const tip = at.theyPush("theirs.txt", "theirs\n", true);
  await at.look();
  expect(at.pushes().at(-1)).toMatchObject({ outcome: "needs_input" });
  expect(String(at.pushes().at(-1)?.["ask"])).toContain(`it has lost ${ours.slice(0, 10)}`);
  expect([headOf(at), at.atRemote()]).toEqual([ours, tip]);
  await at.look(true);
  expect(at.rig.at.git("rev-parse", "HEAD", `${headOf(at)}^2`)).toContain(tip);
  expect(at.atRemote()).toBe(headOf(at));
});

test("a push that the remote's own rule rejects is recorded with its message, cleaned, and not retried", async () => {
  using at = await movedRemote();
  const ours = await at.wePublish("ours.txt", "ours\n");
  const hook = join(at.remote, "hooks", "pre-receive");
  writeFileSync(hook, "#!/bin/sh\nprintf 'protected \\033[31mbranch' >&2; exit 1\n");
  chmodSync(hook, 0o755);
  await at.look();
  const refused = at.pushes().at(-1);
  expect(refused).toMatchObject({ outcome: "failed", at: ours });
  expect(refused?.["reason"]).toContain("protected branch");
});

test("while a person has the branch checked out, the remote's commits wait, and a note says so", async () => {
  using at = await movedRemote();
  const tip = at.theyPush("theirs.txt", "theirs\n");
  const { git } = at.rig.at;
  git("switch", "-q", BRANCH);
  const looking = at.look();
  await eventually(() => {
    expect(at.builder.recordsOf("unit.wait")[0]?.reason).toContain("is checked out in");
  });
  git("switch", "-q", "main");
  await looking;
  expect(headOf(at)).toBe(tip);
});
