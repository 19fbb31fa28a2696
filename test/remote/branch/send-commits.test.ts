import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Oid } from "../../../src/base/oid.ts";
import { ExecutorUnreachable, type Executor } from "../../../src/base/ports/executor.ts";
import { fail, ok } from "../../../src/base/result.ts";
import { branchStep } from "../../../src/remote/branch/branch-step.ts";
import { settleBranch } from "../../../src/remote/branch/settle-branch.ts";
import { takeCommits } from "../../../src/remote/branch/take-commits.ts";
import { value } from "../../git/rig.ts";
import { mirrorRig } from "../mirror/rig.ts";

const BRANCH = "refs/heads/wisp/demo";
const MIRROR = "refs/wisp/mirror/demo";

/** A session's repository, a clone in which it is mirrored, and a link between them that is this process. */
function branchRig() {
  const rig = mirrorRig();
  const root = realpathSync(mkdtempSync(join(tmpdir(), "wisp-branch-")));
  const directory = join(root, "here");
  const place = { id: "place", root: join(root, "place") };
  const here = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: directory, encoding: "utf8" }).trim();
  const far = rig.at.git;
  execFileSync("git", ["clone", "-q", rig.at.repository, directory]);
  const begin = far("rev-parse", BRANCH);
  for (const ref of [BRANCH, MIRROR]) here("update-ref", ref, begin);
  here("config", "user.name", "Test");
  here("config", "user.email", "test@example.invalid");
  const state = { isCut: false };
  const cut = () => Promise.resolve(fail(ExecutorUnreachable({ executor: "test", detail: "cut" })));
  const executor: Executor = {
    kind: "local",
    name: "test",
    create: cut,
    detach: cut,
    isRunning: cut,
    signal: cut,
    get: cut,
    follow: cut,
    status: cut,
    destroy: cut,
    put: (_place, { from, to }) => {
      if (state.isCut || from instanceof Uint8Array) return cut();
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(from.path, to);
      return Promise.resolve(ok(undefined));
    },
    exec: async (_place, { argv }, { onStdout } = {}) => {
      const at = Oid.parse(argv.at(-1)?.slice("--at=".length));
      const taken = await takeCommits(rig.world, rig.at, { root: place.root, at });
      await onStdout?.(Buffer.from(JSON.stringify(taken)));
      return ok({ kind: "exited", exitCode: 0, stderr: "" });
    },
  };
  const program = { version: 1, digest: "d", node: "node", entry: "wisp", path: "/bin" } as const;
  const mirrored = {
    ...{ id: "demo", branch: "wisp/demo", home: rig.mirror().home, executor, place },
    placed: { version: 1, repository: directory, state: join(root, "state") } as const,
    program: { ...program, repository: rig.at.repository, state: root },
  };
  const commitOn = (git: typeof here, side: string) => {
    const commit = git("commit-tree", "-p", BRANCH, "-m", side, `${BRANCH}^{tree}`);
    git("update-ref", BRANCH, commit);
    return commit;
  };
  return {
    ...{ rig, here, far, state, root, place, begin },
    settle: async (agreed?: Oid) => settleBranch(rig.world, mirrored, agreed),
    commitHere: () => commitOn(here, "here"),
    commitThere: () => commitOn(far, "there"),
    where: () => [here("rev-parse", BRANCH), here("rev-parse", MIRROR), far("rev-parse", BRANCH)],
    /** Bundles that were left anywhere. */
    bundles: () =>
      readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".bundle"),
      ),
    [Symbol.dispose]: () => {
      rig[Symbol.dispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

test("commits that were made here move the branch there, once, and leave no file", async () => {
  using at = branchRig();
  at.commitHere();
  const two = at.commitHere();
  expect(value(await at.settle())).toEqual({
    ...{ branchAt: two, branchWaits: undefined, branchTrouble: undefined },
  });
  expect(at.where()).toEqual([two, two, two]);
  expect(at.bundles()).toEqual([]);
  // The place is told the same again if nobody heard its answer.
  at.here("update-ref", MIRROR, at.begin);
  expect(value(await at.settle())).toMatchObject({ branchAt: two });
  expect(at.where()).toEqual([two, two, two]);
});

test("commits on both sides are left where they are, also if those there are not known here yet", async () => {
  using at = branchRig();
  const [own, theirs] = [at.commitHere(), at.commitThere()];
  expect(value(await at.settle())).toMatchObject({ branchWaits: "diverged" });
  expect(at.where()).toEqual([own, at.begin, theirs]);
  at.here("fetch", "-q", "origin", `+${BRANCH}:${MIRROR}`);
  expect(value(await at.settle())).toMatchObject({ branchWaits: "diverged" });
  expect(at.where()).toEqual([own, theirs, theirs]);
});

test("what was taken off the branch there is not sent back", async () => {
  using at = branchRig();
  const one = Oid.parse(at.commitHere());
  expect(value(await at.settle())).toMatchObject({ branchAt: one });
  at.far("update-ref", BRANCH, at.begin);
  at.here("update-ref", MIRROR, at.begin);
  expect(value(await at.settle(one))).toMatchObject({ branchWaits: "diverged", branchAt: one });
  expect(at.where()).toEqual([one, at.begin, at.begin]);
});

test("a branch that is checked out there, or gone, is said in words, and is not touched", async () => {
  using at = branchRig();
  const own = at.commitHere();
  const place = join(at.root, "tree");
  at.far("worktree", "add", "-q", place, "wisp/demo");
  const waits = value(await at.settle());
  expect(waits.branchWaits).toBe("failed");
  expect(waits.branchTrouble).toContain(`checked out there, in ${place}`);
  expect(at.where()).toEqual([own, at.begin, at.begin]);
  at.far("worktree", "remove", "--force", place);
  at.far("update-ref", "-d", BRANCH);
  expect(value(await at.settle()).branchTrouble).toBe("the branch wisp/demo is gone there");
  expect(at.far("for-each-ref", BRANCH)).toBe("");
});

test("a git command that fails here is not taken for commits on both sides", async () => {
  using at = branchRig();
  const theirs = at.commitThere();
  at.here("fetch", "-q", "origin", `+${BRANCH}:${MIRROR}`);
  const lock = join(at.root, "here/.git/refs/heads/wisp/demo.lock");
  at.here("update-ref", "refs/heads/other", theirs);
  copyFileSync(join(at.root, "here/.git/refs/heads/other"), lock);
  const waits = value(await at.settle());
  expect(waits.branchWaits).toBe("failed");
  expect(waits.branchTrouble).toContain("demo.lock");
  rmSync(lock);
  expect(value(await at.settle())).toMatchObject({ branchAt: theirs, branchWaits: undefined });
  expect(at.where()).toEqual([theirs, theirs, theirs]);
});

test("a link that breaks is no fault of the branch", async () => {
  using at = branchRig();
  const own = at.commitHere();
  at.state.isCut = true;
  expect(await at.settle()).toMatchObject({ ok: false, failure: { kind: "executor-unreachable" } });
  at.state.isCut = false;
  expect(value(await at.settle())).toMatchObject({ branchAt: own });
});

test("what is known of one branch only moves nothing", () => {
  const unknown = { here: Oid.parse("a".repeat(40)), there: undefined } as const;
  const apart = { ...unknown, relation: "same", isSetBack: false, isCheckedOut: false } as const;
  expect(branchStep(apart)).toEqual({ kind: "same", at: undefined });
});
