import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Oid } from "../../../src/base/oid.ts";
import { steer } from "../../../src/git/steering/steer.ts";
import { steeringBase } from "../../../src/git/steering/steering-base.ts";
import { steeredClone } from "../../../src/git/steering/steering-place.ts";
import { unsteer } from "../../../src/git/steering/unsteer.ts";
import { MACHINE_PATH } from "../../rig/own-environment.ts";
import { createRig, read, value, write, type Rig } from "../rig.ts";

/** Commits files on a branch of the hub. A value of undefined removes one. */
function commitIn(
  rig: Rig,
  files: Readonly<Record<string, string | undefined>>,
  branch: string,
): Oid {
  rig.git(["checkout", "--quiet", branch]);
  for (const [path, text] of Object.entries(files)) {
    const at = join(rig.hub.directory, path);
    if (text === undefined) rmSync(at, { recursive: true });
    else write(at, text);
  }
  rig.git(["add", "--all", "--force"]);
  rig.git(["commit", "--quiet", "-m", "files"]);
  const at = rig.git(["rev-parse", "HEAD"]).trim();
  rig.git(["checkout", "--quiet", "main"]);
  return at;
}

const BASE = { "CLAUDE.md": "base\n", ".claude/settings.json": "{}\n", "a.txt": "a\n" };
const BRANCH = "wisp/first";

async function steered(rig: Rig, base: Oid, name = "reviewer") {
  const clone = await rig.clone(name);
  value(await clone.syncTo());
  const place = { directory: clone.directory, hub: rig.hub.directory };
  const opened = value(steeredClone(rig.context, place));
  const known = value(await steeringBase(opened, base));
  const git = (...args: string[]) => rig.git(args, clone.directory).trim();
  return {
    clone,
    git,
    directory: clone.directory,
    at: (path: string) => join(clone.directory, path),
    steer: async () => value(await steer(opened, known)),
    unsteer: async () => value(await unsteer(rig.context, place)),
  };
}

test("files that steer agents have the bytes of the base, others those of the branch, and git sees no difference", async () => {
  using rig = createRig();
  const base = commitIn(rig, BASE, BRANCH);
  commitIn(
    rig,
    {
      "CLAUDE.md": "branch\n",
      "api/AGENTS.md": "branch\n",
      ".claude/settings.json": undefined,
      ".mcp.json": "{}\n",
      "a.txt": "b\n",
    },
    BRANCH,
  );
  const { steer, unsteer, git, at, directory } = await steered(rig, base);
  expect(await steer()).toEqual([".claude", ".mcp.json", "CLAUDE.md", "api/AGENTS.md"]);
  expect(read(at("CLAUDE.md"))).toBe("base\n");
  expect(read(at(".claude/settings.json"))).toBe("{}\n");
  expect(read(at("a.txt"))).toBe("b\n");
  expect([".mcp.json", "api/AGENTS.md"].map((path) => existsSync(at(path)))).toEqual([
    false,
    false,
  ]);
  expect(git("status", "--porcelain")).toBe("");
  expect(git("show", "HEAD:CLAUDE.md")).toBe("branch");
  await unsteer();
  expect(read(at("CLAUDE.md"))).toBe("branch\n");
  expect(read(at("api/AGENTS.md"))).toBe("branch\n");
  expect(existsSync(at(".claude"))).toBe(false);
  expect(git("status", "--porcelain")).toBe("");
  expect(git("ls-files", "-v").match(/^S/gmu)).toBeNull();
  expect(readdirSync(`${directory}.steering`)).not.toContain("record.json");
  // Once more: nothing of the first time is in the way.
  expect(await steer()).toHaveLength(4);
  await unsteer();
  expect(git("status", "--porcelain")).toBe("");
});

test("an agent commits beside them, and its checkout, rebase, stash and reset leave them alone", async () => {
  using rig = createRig();
  const base = commitIn(rig, BASE, BRANCH);
  const first = commitIn(rig, { "CLAUDE.md": "one\n" }, BRANCH);
  commitIn(rig, { "CLAUDE.md": "two\n", "GEMINI.md": "new\n" }, BRANCH);
  const { steer, unsteer, git, at, directory } = await steered(rig, base, "tester");
  await steer();
  write(at("test/a.test.js"), "1\n");
  write(at("test/AGENTS.md"), "mine\n");
  git("add", "--all");
  git("commit", "--quiet", "--all", "-m", "test: one");
  expect(git("show", "--format=", "--name-only", "HEAD")).toBe("test/a.test.js");
  expect(() => git("add", "CLAUDE.md")).toThrow(/sparse|ignored/u);
  for (const to of [base, first, BRANCH]) {
    git("checkout", "--quiet", to);
    expect(read(at("CLAUDE.md"))).toBe("base\n");
    expect(existsSync(at("GEMINI.md"))).toBe(false);
  }
  git("checkout", "--quiet", "-b", "other", first);
  write(at("b.txt"), "b\n");
  git("add", "b.txt");
  git("commit", "--quiet", "-m", "beside");
  git("rebase", "--quiet", BRANCH);
  git("checkout", "--quiet", BRANCH);
  git("reset", "--quiet", "--hard", "other");
  write(at("a.txt"), "changed\n");
  git("stash", "--quiet");
  expect(read(at("CLAUDE.md"))).toBe("base\n");
  expect(git("show", "HEAD:CLAUDE.md")).toBe("two");
  expect(git("status", "--porcelain")).toBe("");
  await unsteer();
  expect(read(at("CLAUDE.md"))).toBe("two\n");
  expect(read(at("GEMINI.md"))).toBe("new\n");
  expect(git("diff", "HEAD", "--name-only")).toBe("");
  expect(execFileSync("git", ["status", "--porcelain"], { cwd: directory, encoding: "utf8" })).toBe(
    "?? test/AGENTS.md\n",
  );
});

test("nothing is run while the branch leaves them alone, and two commands of git where it does not", async () => {
  using rig = createRig();
  const base = commitIn(rig, BASE, BRANCH);
  commitIn(rig, { "a.txt": "b\n" }, BRANCH);
  const bin = join(rig.root, "bin");
  const log = join(rig.root, "ran");
  const git = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  write(join(bin, "git"), `#!/bin/sh\necho "$*" >> ${log}\nexec ${git} "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  const path = `${bin}:${MACHINE_PATH}`;
  Object.assign(rig.context.environment, { PATH: path });
  const one = await steered(rig, base);
  rmSync(log);
  expect(await one.steer()).toEqual([]);
  await one.unsteer();
  expect(existsSync(log)).toBe(false);
  commitIn(rig, { "CLAUDE.md": "branch\n" }, BRANCH);
  value(await one.clone.syncTo());
  rmSync(log, { force: true });
  expect(await one.steer()).toEqual(["CLAUDE.md"]);
  await one.unsteer();
  expect(read(log).match(/update-index --(?:no-)?skip-worktree/gu)).toEqual([
    "update-index --skip-worktree",
    "update-index --no-skip-worktree",
  ]);
  expect(read(log).trim().split("\n")).toHaveLength(2);
});

test("names in any case, links, folders in the place of files, and what is ignored are as in the base, too", async () => {
  using rig = createRig();
  const hub = rig.hub.directory;
  rig.git(["checkout", "--quiet", BRANCH]);
  write(join(hub, "docs/rules.md"), "base rules\n");
  write(join(hub, "AGENTS.md"), "base agents\n");
  symlinkSync("docs/rules.md", join(hub, "CLAUDE.md"));
  symlinkSync("AGENTS.md", join(hub, "GEMINI.md"));
  symlinkSync("../outside", join(hub, "QWEN.md"));
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "base"]);
  const base = rig.git(["rev-parse", "HEAD"]).trim();
  const one = await steered(rig, base);
  expect(await one.steer()).toEqual([]);
  rig.git(["checkout", "--quiet", BRANCH]);
  write(join(hub, "docs/rules.md"), "branch rules\n");
  rmSync(join(hub, "AGENTS.md"));
  write(join(hub, "AGENTS.md/inside.md"), "branch\n");
  write(join(hub, "claude.md"), "branch\n");
  rmSync(join(hub, "QWEN.md"));
  symlinkSync("/etc/hostname", join(hub, "QWEN.md"));
  write(join(hub, ".gitignore"), "node_modules/\n.codex/\n!CLAUDE.md\n");
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "branch"]);
  rig.git(["checkout", "--quiet", "main"]);
  value(await one.clone.syncTo());
  write(one.at(".codex/config.toml"), "by a script\n");
  write(one.at("node_modules/x/AGENTS.md"), "of a package\n");
  const changed = [".codex", "AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md", "claude.md"];
  expect(await one.steer()).toEqual(changed);
  expect(read(one.at("CLAUDE.md"))).toBe("base rules\n");
  expect(lstatSync(one.at("CLAUDE.md")).isSymbolicLink()).toBe(false);
  expect(read(one.at("AGENTS.md"))).toBe("base agents\n");
  expect(read(one.at("GEMINI.md"))).toBe("base agents\n");
  const gone = ["claude.md", "QWEN.md", ".codex"].map((path) => existsSync(one.at(path)));
  expect(gone).toEqual([false, false, false]);
  expect(one.git("status", "--porcelain")).toBe("");
  await one.unsteer();
  expect(readlinkSync(one.at("QWEN.md"))).toBe("/etc/hostname");
  expect(readlinkSync(one.at("CLAUDE.md"))).toBe("docs/rules.md");
  expect(read(one.at("AGENTS.md/inside.md"))).toBe("branch\n");
  expect(read(one.at(".codex/config.toml"))).toBe("by a script\n");
  expect(one.git("status", "--porcelain")).toBe("");
});

test("no link that the branch or a turn made in place of a folder is written through", async () => {
  using rig = createRig();
  const base = commitIn(
    rig,
    { "api/AGENTS.md": "base\n", ".github/agents/a.md": "base\n" },
    BRANCH,
  );
  const outside = join(rig.root, "outside");
  mkdirSync(outside);
  write(join(outside, "AGENTS.md"), "outside\n");
  const hub = rig.hub.directory;
  commitIn(rig, { "api/AGENTS.md": "branch\n", "api/b.txt": "b\n" }, BRANCH);
  const one = await steered(rig, base);
  expect(await one.steer()).toEqual(["api/AGENTS.md"]);
  // By the turn.
  rmSync(one.at("api"), { recursive: true });
  symlinkSync(outside, one.at("api"));
  await one.unsteer();
  expect(readdirSync(outside)).toEqual(["AGENTS.md"]);
  expect(read(join(outside, "AGENTS.md"))).toBe("outside\n");
  // By the branch.
  rig.git(["checkout", "--quiet", BRANCH]);
  rmSync(join(hub, "api"), { recursive: true });
  symlinkSync(outside, join(hub, "api"));
  rmSync(join(hub, ".github"), { recursive: true });
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "links"]);
  value(await one.clone.syncTo());
  expect(await one.steer()).toEqual([".github/agents"]);
  expect(read(one.at(".github/agents/a.md"))).toBe("base\n");
  expect(read(join(outside, "AGENTS.md"))).toBe("outside\n");
  await one.unsteer();
  expect(existsSync(one.at(".github"))).toBe(false);
  expect(one.git("status", "--porcelain")).toBe("");
});

test("files are as the base checks them out, whatever the attributes of the branch say, and no filter is run", async () => {
  using rig = createRig();
  const mark = join(rig.root, "filtered");
  rig.git(["config", "filter.evil.smudge", `sh -c 'touch ${mark}; cat'`]);
  rig.git(["config", "filter.evil.clean", "cat"]);
  const attributes = "CLAUDE.md text eol=crlf\nGEMINI.md filter=evil\n";
  const files = { ".gitattributes": attributes, "CLAUDE.md": "one\ntwo\n", "GEMINI.md": "base\n" };
  const base = commitIn(rig, files, BRANCH);
  const other = "CLAUDE.md text eol=lf ident\nGEMINI.md filter=evil ident\n";
  commitIn(rig, { ".gitattributes": other, "GEMINI.md": "branch\n" }, BRANCH);
  rmSync(mark, { force: true });
  const one = await steered(rig, base);
  expect(await one.steer()).toContain("CLAUDE.md");
  expect(read(one.at("CLAUDE.md"))).toBe("one\r\ntwo\r\n");
  expect(read(one.at("GEMINI.md"))).toBe("base\n");
  expect(existsSync(mark)).toBe(false);
  await one.unsteer();
  expect(await one.clone.isDirty()).toEqual({ ok: true, value: false });
});

test("with ids of SHA-256, with an index in another format, and in many folders, it is the same", async () => {
  using rig = createRig();
  const git = (...args: string[]) => rig.git(args);
  rmSync(join(rig.hub.directory, ".git"), { recursive: true });
  git("init", "--quiet", "--object-format=sha256", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "-m", "first");
  git("branch", BRANCH);
  const many = Array.from({ length: 1_001 }, (_, at) => [`f${String(at)}/a.txt`, "a\n"] as const);
  const base = commitIn(rig, { ...BASE, ...Object.fromEntries(many) }, BRANCH);
  expect(base).toHaveLength(64);
  commitIn(rig, { "CLAUDE.md": "branch\n", "f7/AGENTS.md": "branch\n" }, BRANCH);
  const one = await steered(rig, base);
  one.git("update-index", "--index-version", "4");
  write(one.at(".github/hooks/h.json"), "{}\n");
  write(one.at("f8/claude.md"), "left\n");
  const changed = [".github/hooks", "CLAUDE.md", "f7/AGENTS.md", "f8/claude.md"];
  expect(await one.steer()).toEqual(changed);
  expect(read(one.at("CLAUDE.md"))).toBe("base\n");
  expect(existsSync(one.at("f7/AGENTS.md"))).toBe(false);
  expect(one.git("status", "--porcelain")).toBe("");
  await one.unsteer();
  expect(read(one.at("f7/AGENTS.md"))).toBe("branch\n");
  expect(one.git("status", "--porcelain")).toBe("?? .github/\n?? f8/claude.md");
});

test("a killed turn: a repair and a sync put the branch's files back before they look for work", async () => {
  using rig = createRig();
  const base = commitIn(rig, BASE, BRANCH);
  commitIn(rig, { "CLAUDE.md": "branch\n", ".claude/settings.json": undefined }, BRANCH);
  const one = await steered(rig, base);
  for (const again of [() => one.clone.repair(), () => one.clone.syncTo()]) {
    await one.steer();
    expect(await again()).toMatchObject({ ok: true });
    expect(read(one.at("CLAUDE.md"))).toBe("branch\n");
    expect(existsSync(one.at(".claude"))).toBe(false);
    expect(one.git("status", "--porcelain")).toBe("");
  }
  expect(rig.git(["for-each-ref", "refs/wisp/rescue"])).toBe("");
});

test("a turn that was killed between any two steps leaves nothing to lose", async () => {
  using rig = createRig();
  const base = commitIn(rig, BASE, BRANCH);
  commitIn(
    rig,
    { "CLAUDE.md": "branch\n", "GEMINI.md": "new\n", ".claude/settings.json": undefined },
    BRANCH,
  );
  const one = await steered(rig, base);
  const { directories, files } = rig.context;
  const steps = ["move", "removeTree", "placeExactly", "replace", "recordedStat"] as const;
  for (let at = 0; ; at++) {
    let calls = 0;
    const dying = <T extends object>(port: T) =>
      new Proxy(port, {
        get(target, name, self) {
          const own: unknown = Reflect.get(target, name, self);
          if (typeof own !== "function" || !steps.some((step) => step === name)) return own;
          return (...words: unknown[]) => {
            if (calls++ === at) throw new Error("killed");
            const done: unknown = Reflect.apply(own, target, words);
            return done;
          };
        },
      });
    const context = { ...rig.context, directories: dying(directories), files: dying(files) };
    const place = { directory: one.directory, hub: rig.hub.directory };
    const clone = value(steeredClone(context, place));
    const known = value(await steeringBase(value(steeredClone(rig.context, place)), base));
    const turn = async () => {
      value(await steer(clone, known));
      value(await unsteer(context, place));
    };
    const killed = await turn().then(
      () => false,
      () => true,
    );
    value(await one.clone.repair());
    expect(read(one.at("CLAUDE.md")), `step ${String(at)}`).toBe("branch\n");
    expect(read(one.at("GEMINI.md"))).toBe("new\n");
    expect(existsSync(one.at(".claude"))).toBe(false);
    expect(one.git("status", "--porcelain")).toBe("");
    if (!killed) break;
  }
});
