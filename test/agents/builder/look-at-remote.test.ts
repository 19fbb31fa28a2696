import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lookAtRemote } from "../../../src/agents/builder/look-at-remote.ts";
import { unitKey } from "../../../src/fs-protocol/unit-key.ts";
import { eventually } from "../../rig/patience.ts";
import { sessionRig, type RoleRig, type SessionRig } from "../role-rig.ts";

const BRANCH = "wisp/demo";

interface World extends Disposable {
  readonly rig: SessionRig;
  readonly builder: RoleRig<"builder">;
  /** The bare repository. */
  readonly remote: string;
  /** Runs git as a colleague, in a clone of the remote. */
  readonly theirs: (...args: readonly string[]) => string;
  /** A colleague's commit, pushed to the session's branch; `force`: over what is there. */
  readonly theyPush: (file: string, text: string, force?: boolean) => string;
  /** A commit that appears on the session's branch here. */
  readonly wePublish: (file: string, text: string) => Promise<string>;
  readonly look: (mayMerge?: boolean) => Promise<void>;
  readonly pushes: () => readonly Record<string, unknown>[];
  readonly atRemote: () => string;
}

/** A session whose branch is at a bare remote, and a colleague who has cloned that. */
async function world(verify: readonly (readonly string[])[] = []): Promise<World> {
  const publish = { at: "boundary", remote: "origin" } as const;
  const rig = sessionRig({ verify, session: { publish } });
  const { repository, git } = rig.at;
  const remote = join(repository, "..", "remote.git");
  const place = join(repository, "..", "theirs");
  execFileSync("git", ["init", "-q", "--bare", remote]);
  git("remote", "add", "origin", remote);
  const builder = rig.role("builder");
  const theirs = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: place, encoding: "utf8", stdio: "pipe" }).trim();
  const look: World["look"] = async (mayMerge = false) => {
    const state = await rig.at.state();
    const unit = unitKey.remote(state.builder.remote.ended);
    await lookAtRemote(builder.context, state, { kind: "remote", unit, mayMerge });
  };
  await look();
  execFileSync("git", ["clone", "-q", "--branch", BRANCH, remote, place], { stdio: "pipe" });
  theirs("config", "user.name", "Grace");
  theirs("config", "user.email", "grace@example.invalid");
  return {
    rig,
    builder,
    remote,
    theirs,
    theyPush: (file, text, force = false) => {
      writeFileSync(join(place, file), text);
      theirs("add", "-A");
      theirs("commit", "-qm", `theirs: ${file}`);
      theirs("push", "-q", ...(force ? ["--force"] : []), "origin", BRANCH);
      return theirs("rev-parse", "HEAD");
    },
    wePublish: async (file, text) => {
      const clone = await builder.context.clone();
      await clone.syncTo();
      writeFileSync(join(clone.directory, file), text);
      const made = await clone.commitAll(`ours: ${file}`);
      if (!made.ok || made.value === undefined) throw new Error("no commit");
      await clone.publish(made.value);
      return made.value;
    },
    look,
    pushes: () => builder.recordsOf("remote.push"),
    atRemote: () => git("ls-remote", "origin", `refs/heads/${BRANCH}`).split("\t")[0] ?? "",
    [Symbol.dispose]: () => {
      rig[Symbol.dispose]();
    },
  };
}

const headOf = ({ rig }: World) => rig.at.git("rev-parse", BRANCH);

test("at a boundary the branch, and nothing else, is brought to the remote", async () => {
  using at = await world();
  expect(at.pushes()).toMatchObject([{ outcome: "pushed", at: at.rig.session.base }]);
  expect(at.rig.at.git("ls-remote", "origin")).toBe(`${at.rig.session.base}\trefs/heads/${BRANCH}`);
});

test("seed 003 D: a remote that is ahead is followed, and nothing of the user's is touched", async () => {
  using at = await world();
  const tip = at.theyPush("theirs.txt", "theirs\n");
  const before = at.rig.at.git("for-each-ref", "refs/remotes", "refs/tags");
  await at.look();
  expect(headOf(at)).toBe(tip);
  expect(at.pushes().at(-1)).toMatchObject({ outcome: "pushed", at: tip, took: tip });
  expect(at.rig.at.git("for-each-ref", "refs/remotes", "refs/tags")).toBe(before);
  expect(at.rig.at.git("status", "--porcelain")).not.toContain("theirs.txt");
});

test("seed 003 D: where both moved one merge commit joins them, and nothing is rewritten", async () => {
  using at = await world();
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
  // What was looked through up to ours stays in front of it, in a process that has just begun, too.
  const { branch } = await at.rig.at.state();
  expect(branch.commits).toEqual([ours, tip, head]);
});

test("a merge on which verify is red does not appear: a person is asked", async () => {
  using at = await world([["sh", "-c", "! test -f bad.txt || ! test -f ours.txt"]]);
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
  using at = await world();
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

test("a person's own merge is pushed at the next look", async () => {
  using at = await world();
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

test("a rewritten remote is never forced: a person is asked, and may have both joined", async () => {
  using at = await world();
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

test("a remote that refuses by a rule of its own is on record in its words, cleaned, and not asked again", async () => {
  using at = await world();
  const ours = await at.wePublish("ours.txt", "ours\n");
  const hook = join(at.remote, "hooks", "pre-receive");
  writeFileSync(hook, "#!/bin/sh\nprintf 'protected \\033[31mbranch' >&2; exit 1\n");
  chmodSync(hook, 0o755);
  await at.look();
  const refused = at.pushes().at(-1);
  expect(refused).toMatchObject({ outcome: "failed", at: ours });
  expect(refused?.["reason"]).toContain("protected branch");
});

test("while a person has the branch checked out, what the remote has waits, and says so", async () => {
  using at = await world();
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
