import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  branchCheckedOutAt,
  createBranch,
  deleteBranch,
  isBranchName,
} from "../../src/git/repository/branches.ts";
import { effectiveIdentity } from "../../src/git/command/user-config.ts";
import {
  countUncommitted,
  excludeFromGit,
  findRepository,
  needObjects,
} from "../../src/git/repository/repository.ts";
import { BRANCH, createRig, read, value, write, type Rig } from "./rig.ts";

test("the repository is found from a directory inside it, and from a linked work tree", async () => {
  using rig = createRig();
  const top = realpathSync(rig.hub.directory);
  const head = rig.git(["rev-parse", "HEAD"]).trim();
  mkdirSync(join(top, "src", "deep"), { recursive: true });
  const found = value(await findRepository(rig.context, join(top, "src", "deep")));
  expect(found).toEqual({ directory: top, commonDirectory: join(top, ".git"), head });
  const linked = join(realpathSync(rig.root), "linked");
  rig.git(["worktree", "add", "--quiet", linked, BRANCH]);
  expect(value(await findRepository(rig.context, linked))).toEqual({
    directory: linked,
    commonDirectory: join(top, ".git"),
    head,
  });
});

test("a partial clone with a sparse checkout lacks files of the commit until they are fetched; nothing else lacks any", async () => {
  using rig = createRig();
  const { directory } = rig.hub;
  for (const name of ["app/a.txt", "big/1.txt", "big/2.txt"]) write(join(directory, name), name);
  rig.git(["add", "-A"]);
  rig.git(["commit", "--quiet", "-m", "second"]);
  rig.git(["config", "uploadpack.allowFilter", "true"]);
  const cloned = async (name: string, ...words: readonly string[]) => {
    const to = join(rig.root, name);
    rig.git(["clone", "--quiet", ...words, `file://${directory}`, to], rig.root);
    if (words.includes("--sparse")) rig.git(["sparse-checkout", "set", "app"], to);
    return { to, repository: value(await findRepository(rig.context, to)) };
  };
  const whole = [
    await cloned("whole"),
    await cloned("sparse", "--sparse"),
    await cloned("partial", "--filter=blob:none"),
  ];
  for (const { repository } of whole) {
    expect(await needObjects(rig.context, repository)).toEqual({ ok: true, value: undefined });
  }
  const { to, repository } = await cloned("both", "--filter=blob:none", "--sparse", "--origin=up");
  const lacking = await needObjects(rig.context, repository);
  expect(lacking).toMatchObject({ failure: { kind: "objects-missing", count: 2, remote: "up" } });
  // Looking fetches nothing.
  expect(await needObjects(rig.context, repository)).toEqual(lacking);
  rig.git(
    ["-c", "maintenance.auto=false", "fetch", "--quiet", "--refetch", "--no-filter", "up"],
    to,
  );
  expect(await needObjects(rig.context, repository)).toEqual({ ok: true, value: undefined });
  expect(existsSync(join(to, "big"))).toBe(false);
});

test("a directory that is not a usable repository is reported with the reason", async () => {
  using rig = createRig();
  const find = (name: string) => findRepository(rig.context, join(rig.root, name));
  mkdirSync(join(rig.root, "plain"));
  rig.git(["init", "--quiet", "--bare", "bare"], rig.root);
  rig.git(["init", "--quiet", "empty"], rig.root);
  expect(await find("plain")).toMatchObject({ failure: { kind: "not-a-repository" } });
  expect(await find("hub/.git")).toMatchObject({ failure: { kind: "not-a-repository" } });
  expect(await find("bare")).toMatchObject({ failure: { kind: "bare" } });
  expect(await find("empty")).toMatchObject({ failure: { kind: "no-commits" } });
  expect(await find("nowhere")).toMatchObject({ failure: { kind: "git" } });
});

test("ignores git's own variables in the environment", async () => {
  using rig = createRig();
  const elsewhere = { GIT_DIR: "/nowhere", GIT_INDEX_FILE: "/nowhere", GIT_EDITOR: "vi" };
  const environment = { ...rig.context.environment, ...elsewhere, EDITOR: "vi", PAGER: "less" };
  const context = { ...rig.context, environment };
  const found = value(await findRepository(context, rig.hub.directory));
  expect(found.directory).toBe(realpathSync(rig.hub.directory));
  const { openHub } = await import("../../src/git/repository/hub.ts");
  const hub = openHub(context, rig.hub.directory);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "second"]);
  const head = rig.git(["rev-parse", "HEAD"]).trim();
  expect(value(await hub.commits(found.head, head))).toEqual([head]);
});

test("the identity is the environment's, else the configuration's, else what is missing", async () => {
  using rig = createRig();
  const of = (variables: Readonly<Record<string, string>>) =>
    effectiveIdentity(
      { environment: { ...rig.context.environment, ...variables } },
      rig.hub.directory,
    );
  expect(value(await of({}))).toEqual({ name: "Ada Lovelace", email: "ada@example.org" });
  rig.git(["config", "user.name", "Grace \u001B[31m<Hopper>"]);
  expect(value(await of({}))).toEqual({ name: "Grace Hopper", email: "ada@example.org" });
  expect(value(await of({ GIT_AUTHOR_EMAIL: "g@x.org" }))).toMatchObject({ email: "g@x.org" });
  rig.git(["config", "--unset", "user.name"]);
  expect(await of({ HOME: join(rig.root, "nobody") })).toEqual({
    ok: false,
    failure: { kind: "no-identity", missing: ["user.name", "user.email"] },
  });
});

test("the person's settings are read where git's variables say that they are", async () => {
  using rig = createRig();
  const place = (name: string, setting: string, text: string) => {
    const path = join(rig.root, name);
    write(path, `[user]\n\t${setting} = ${text}\n`);
    return path;
  };
  const GIT_CONFIG_GLOBAL = place("mine", "name", "Mine");
  const GIT_CONFIG_SYSTEM = place("system", "email", "system@example.org");
  const of = async (variables: Readonly<Record<string, string>>) => {
    const environment = { ...rig.context.environment, ...variables };
    return effectiveIdentity({ environment }, rig.hub.directory);
  };
  const NO = { GIT_CONFIG_NOSYSTEM: "0" };
  expect(value(await of({ ...NO, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM }))).toEqual({
    name: "Mine",
    email: "system@example.org",
  });
  const without = { GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM, GIT_CONFIG_NOSYSTEM: "1" };
  expect(await of(without)).toMatchObject({ failure: { missing: ["user.email"] } });
  write(join(rig.hub.directory, "written"), "[user]\n\tname = Somebody\n");
  expect(value(await of({ GIT_CONFIG_GLOBAL: "written" }))).toMatchObject({ name: "Ada Lovelace" });
});

test("a clone gets an identity with quotes and backslashes unchanged", async () => {
  using rig = createRig();
  const { createClone } = await import("../../src/git/clone/create-clone.ts");
  const place = { hub: rig.hub, branch: BRANCH, session: "s", directory: join(rig.root, "c") };
  const identity = { name: 'A "B" \\ C # D ; E', email: "a@b" };
  value(await createClone(rig.context, { ...place, identity }));
  expect(rig.git(["config", "user.name"], place.directory).trimEnd()).toBe(identity.name);
  value(await createClone(rig.context, { ...place, identity: { name: "F", email: "f@g" } }));
  const clone = value(
    await createClone(rig.context, { ...place, identity: { name: "F", email: "f@g" } }),
  );
  write(join(clone.directory, "a"), "a");
  value(await clone.commitAll("a"));
  expect(rig.git(["log", "-1", "--format=%an %ae"], place.directory)).toBe("F f@g\n");
});

test("a branch is made at its base without touching the checkout, and removed again", async () => {
  using rig = createRig();
  const { place, base } = branchOf(rig, "wisp/a;touch${IFS}x");
  value(await createBranch(rig.context, place, { base, note: "made by a test" }));
  expect(await rig.hub.head(place.branch)).toBe(base);
  expect(rig.git(["symbolic-ref", "HEAD"])).toBe("refs/heads/main\n");
  expect(value(await deleteBranch(rig.context, place, base))).toBe(true);
  expect(await rig.hub.head(place.branch)).toBeUndefined();
  expect(value(await deleteBranch(rig.context, place, base))).toBe(false);
});

test("a branch that has moved on is not removed", async () => {
  using rig = createRig();
  const { place, base } = branchOf(rig, BRANCH);
  const clone = await rig.clone("builder");
  write(join(clone.directory, "a"), "a");
  const made = value(await clone.commitAll("a")) ?? "";
  value(await clone.publish(made));
  expect(value(await deleteBranch(rig.context, place, base))).toBe(false);
  expect(await rig.hub.head(BRANCH)).toBe(made);
});

test("a branch that exists, or that blocks the name, is named", async () => {
  using rig = createRig();
  const make = (branch: string) => {
    const { place, base } = branchOf(rig, branch);
    return createBranch(rig.context, place, { base, note: "made by a test" });
  };
  expect(await make(BRANCH)).toMatchObject({ failure: { kind: "branch-exists", branch: BRANCH } });
  expect(await make("wisp")).toMatchObject({
    failure: { kind: "branch-exists", branch: BRANCH, wanted: "wisp" },
  });
  expect(await make("main/x")).toMatchObject({
    failure: { kind: "branch-exists", branch: "main", wanted: "main/x" },
  });
});

test("refuses branch names that git would refuse or misinterpret", async () => {
  using rig = createRig();
  const bad = [
    "",
    "-x",
    "--all",
    "@{-1}",
    "@",
    "HEAD",
    "a b",
    "a..b",
    "a\nb",
    "a\0b",
    "a.lock",
    "/a",
    "a~1",
    "\u001B[31m",
  ];
  rig.git(["checkout", "--quiet", BRANCH]);
  rig.git(["checkout", "--quiet", "main"]);
  for (const branch of bad) {
    const { place, base } = branchOf(rig, branch);
    expect([branch, await isBranchName(rig.context, place)]).toEqual([branch, false]);
    expect(await createBranch(rig.context, place, { base, note: "made by a test" })).toMatchObject({
      failure: { kind: "bad-branch-name" },
    });
  }
  for (const branch of ["wisp/x", "a;touch${IFS}x", "a|b&c'\"`id`$(id)", "ünï🦄"]) {
    expect(await isBranchName(rig.context, branchOf(rig, branch).place)).toBe(true);
  }
});

test("the work tree that has a branch checked out is reported", async () => {
  using rig = createRig();
  const top = realpathSync(rig.hub.directory);
  expect(await branchCheckedOutAt(rig.context, branchOf(rig, "main").place)).toBe(top);
  expect(await branchCheckedOutAt(rig.context, branchOf(rig, BRANCH).place)).toBeUndefined();
});

test("uncommitted work is counted without a lock on the user's index", async () => {
  using rig = createRig();
  const count = async () => value(await countUncommitted(rig.context, rig.hub.directory));
  expect(await count()).toEqual({ changed: 0, untracked: 0 });
  write(join(rig.hub.directory, "readme.md"), "changed\n");
  write(join(rig.hub.directory, "new.txt"), "new\n");
  write(join(rig.hub.directory, ".git", "index.lock"), "");
  expect(await count()).toEqual({ changed: 1, untracked: 1 });
});

test("patterns are excluded once, whatever the file ended in", async () => {
  using rig = createRig();
  const path = join(rig.hub.directory, ".git", "info", "exclude");
  write(path, "*.bak\n.wisp/current");
  const at = { commonDirectory: join(rig.hub.directory, ".git") };
  const patterns = [".wisp/sessions/", ".wisp/current"];
  value(excludeFromGit(rig.context, at, patterns));
  value(excludeFromGit(rig.context, at, patterns));
  expect(read(path)).toBe("*.bak\n.wisp/current\n.wisp/sessions/\n");
  write(join(rig.hub.directory, ".wisp", "sessions", "x"), "x");
  expect(rig.git(["status", "--porcelain"])).toBe("");
  expect(existsSync(path)).toBe(true);
});

function branchOf(rig: Rig, branch: string) {
  const base = rig.git(["rev-parse", "main"]).trim();
  return { place: { directory: rig.hub.directory, branch }, base };
}
