import {
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { createClone } from "../../src/git/clone/create-clone.ts";
import { openHub } from "../../src/git/repository/hub.ts";
import { BRANCH, commit, createRig, IDENTITY, read, value, write } from "./rig.ts";

test("a clone has the session's branch, the user's identity, and no remote", async () => {
  using rig = createRig();
  rig.git(["branch", "another"]);
  rig.git(["tag", "v1"]);
  const { directory } = await rig.clone("builder");
  expect(rig.git(["for-each-ref", "--format=%(refname)"], directory)).toBe(
    `refs/heads/${BRANCH}\nrefs/wisp/hub\n`,
  );
  expect(rig.git(["remote"], directory)).toBe("");
  expect(existsSync(join(directory, ".git", "hooks"))).toBe(false);
  expect(rig.git(["symbolic-ref", "HEAD"], directory)).toBe(`refs/heads/${BRANCH}\n`);
  expect(rig.git(["config", "--local", "user.email"], directory)).toBe("ada@example.org\n");
  expect(read(join(directory, "readme.md"))).toBe("one\n");
});

test("a clone that exists is opened again with its commits", async () => {
  using rig = createRig();
  const first = await rig.clone("builder");
  const made = await commit(first, "a.txt");
  const again = await rig.clone("builder");
  expect(value(await again.head())).toBe(made);
});

test("a clone left incomplete by a crash is recreated", async () => {
  using rig = createRig();
  write(join(rig.root, "state", "builder.making", ".git", "HEAD"), "half");
  const clone = await rig.clone("builder");
  expect(value(await clone.isDirty())).toBe(false);
  expect(existsSync(`${clone.directory}.making`)).toBe(false);
});

test("a directory in place of a clone is moved aside, not removed", async () => {
  using rig = createRig();
  write(join(rig.root, "state", "builder", "notes.txt"), "precious");
  await rig.clone("builder");
  expect(read(join(rig.root, "state", "builder.broken-1", "notes.txt"))).toBe("precious");
});

test("a clone survives the hub's garbage collection", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  rig.git(["branch", "-D", BRANCH]);
  rig.git(["commit", "--quiet", "--amend", "-m", "other"]);
  rig.git(["reflog", "expire", "--expire=now", "--all"]);
  rig.git(["gc", "--quiet", "--prune=now"]);
  expect(rig.git(["fsck", "--strict"], clone.directory)).toBe("");
});

test("a clone is made from a linked work tree and from a shallow repository", async () => {
  using rig = createRig();
  const shallow = join(rig.root, "shallow");
  write(join(rig.hub.directory, "two.txt"), "two\n");
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "second"]);
  rig.git(["clone", "--quiet", "--depth=1", `file://${rig.hub.directory}`, shallow], rig.root);
  const linked = join(rig.root, "linked");
  rig.git(["worktree", "add", "--quiet", linked, "-b", "side"]);
  for (const [name, directory] of Object.entries({ shallow, linked })) {
    if (name === "shallow") rig.git(["branch", BRANCH], shallow);
    const hub = openHub(rig.context, directory);
    const place = { hub, branch: BRANCH, directory: join(rig.root, "state", name), session: "s" };
    const identity = { name: "A", email: "a@b" };
    const clone = value(await createClone(rig.context, { ...place, identity }));
    const made = await commit(clone, `${name}.txt`);
    expect(await clone.publish(made)).toEqual({ ok: true, value: undefined });
    expect(await hub.head(BRANCH)).toBe(made);
  }
});

test("clones a hub with sha256 ids and a hub that is a partial clone", async () => {
  using rig = createRig();
  const { directory } = rig.hub;
  write(join(directory, "readme.md"), "two\n");
  rig.git(["commit", "--quiet", "-am", "second"]);
  rig.git(["config", "uploadpack.allowFilter", "true"]);
  const partial = join(rig.root, "partial");
  rig.git(["clone", "--quiet", "--filter=blob:none", `file://${directory}`, partial], rig.root);
  const sha256 = join(rig.root, "sha256");
  rig.git(["init", "--quiet", "--object-format=sha256", sha256], rig.root);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "first"], sha256);
  for (const of of [partial, sha256]) {
    rig.git(["branch", BRANCH], of);
    const hub = openHub(rig.context, of);
    const make = async (name: string) => {
      const place = { hub, branch: BRANCH, directory: `${of}-${name}`, session: "s" };
      return value(await createClone(rig.context, { ...place, identity: IDENTITY }));
    };
    const builder = await make("builder");
    const tester = await make("tester");
    value(await builder.publish(await commit(builder, "readme.md", "three\n")));
    await commit(tester, "a.txt");
    const { head } = value(await tester.rebaseOntoHub());
    value(await tester.publish(head));
    expect(value(await builder.syncTo())).toBe(head);
    expect(await hub.head(BRANCH)).toBe(head);
  }
});

test("a clone that cannot be made leaves nothing behind", async () => {
  using rig = createRig();
  await expect(rig.clone("builder", "nowhere")).rejects.toThrow("nowhere");
  expect(existsSync(join(rig.root, "state", "builder"))).toBe(false);
  expect(existsSync(join(rig.root, "state", "builder.making"))).toBe(false);
});

test("syncing removes what is untracked and keeps what is ignored", async () => {
  using rig = createRig();
  const builder = await rig.clone("builder");
  const tester = await rig.clone("tester");
  const made = await commit(builder, "a.txt");
  value(await builder.publish(made));
  write(join(tester.directory, "node_modules", "x", "index.js"), "installed");
  write(join(tester.directory, "left", "over.txt"), "left");
  write(join(tester.directory, "readme.md"), "changed\n");
  rig.git(["init", "--quiet", join(tester.directory, "nested")], rig.root);
  expect(value(await tester.syncTo())).toBe(made);
  expect(value(await tester.isDirty())).toBe(false);
  expect(existsSync(join(tester.directory, "left"))).toBe(false);
  expect(existsSync(join(tester.directory, "nested"))).toBe(false);
  expect(existsSync(join(tester.directory, "node_modules", "x", "index.js"))).toBe(true);
  expect(read(join(tester.directory, "a.txt"))).toBe("a.txt\n");
});

test("syncing goes to an older commit when asked to", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const base = value(await clone.head());
  value(await clone.publish(await commit(clone, "a.txt")));
  expect(value(await clone.syncTo(base))).toBe(base);
  expect(value(await clone.head())).toBe(base);
  expect(existsSync(join(clone.directory, "a.txt"))).toBe(false);
});

test("syncing and cleaning see changes that an index mark hides", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const readme = join(clone.directory, "readme.md");
  for (const mark of ["--assume-unchanged", "--skip-worktree"]) {
    rig.git(["update-index", mark, "readme.md"], clone.directory);
    writeFileSync(readme, "hidden\n");
    value(await clone.syncTo());
    expect(read(readme)).toBe("one\n");
    rig.git(["update-index", mark, "readme.md"], clone.directory);
    writeFileSync(readme, "hidden\n");
    value(await clone.clean());
    expect(read(readme)).toBe("one\n");
  }
});

test("syncing ends a merge that an engine left unfinished", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "side"], clone.directory);
  rig.git(["checkout", "--quiet", "-b", "side"], clone.directory);
  rig.git(["checkout", "--quiet", BRANCH], clone.directory);
  rig.git(["reset", "--quiet", "--hard", "HEAD~1"], clone.directory);
  rig.git(["merge", "--quiet", "--no-ff", "--no-commit", "side"], clone.directory);
  expect(existsSync(join(clone.directory, ".git", "MERGE_HEAD"))).toBe(true);
  value(await clone.syncTo());
  expect(existsSync(join(clone.directory, ".git", "MERGE_HEAD"))).toBe(false);
});

test("commits everything that is not ignored, whatever its name", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const base = value(await clone.head());
  const names = [
    "ünï 🦄.txt",
    "quo\"te's.txt",
    "line\nbreak.txt",
    "-rf",
    ":(top)x",
    "tab\t.txt",
    "$(id)",
  ];
  for (const name of names) write(join(clone.directory, name), "x\n");
  write(join(clone.directory, "node_modules", "x.js"), "ignored");
  const made = present(value(await clone.commitAll("odd names")), "a commit");
  const changed = value(await clone.changedPaths(base, made));
  expect(changed.map(({ path }) => path).sort()).toEqual([...names].sort());
  for (const name of names) expect(value(await clone.show(made, name))).toBe("x\n");
  expect(value(await clone.isDirty())).toBe(false);
});

test("a name that is not UTF-8 is committed by its bytes", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const name = Buffer.concat([Buffer.from(`${clone.directory}/`), Buffer.from([0x66, 0xfc, 0x72])]);
  writeFileSync(name, "x");
  present(value(await clone.commitAll("latin")), "a commit");
  expect(rig.git(["ls-files"], clone.directory)).toContain('"f\\374r"');
  expect(value(await clone.isDirty())).toBe(false);
});

test("makes no commit if nothing has changed", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  expect(value(await clone.commitAll("nothing"))).toBeUndefined();
});

test("keeps a message unchanged, including comment signs, options and shell words", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const message = '--amend $(touch /tmp/x) `id`\n\n# not a comment\n-F file\n"quoted" 🦄\n';
  write(join(clone.directory, "a.txt"), "a");
  value(await clone.commitAll(message));
  expect(rig.git(["log", "-1", "--format=%B"], clone.directory).trimEnd()).toBe(message.trimEnd());
  write(join(clone.directory, "b.txt"), "b");
  const made = present(value(await clone.commitAll("\0 \n")), "a commit");
  expect(value(await clone.subjectOf(made))).toBe("Update");
});

test("repositories that an engine made inside the work tree are not committed", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const nested = join(clone.directory, "nested");
  rig.git(["init", "--quiet", nested], rig.root);
  write(join(clone.directory, "a.txt"), "a");
  const first = present(value(await clone.commitAll("beside an empty one")), "a commit");
  write(join(nested, "x.txt"), "x");
  rig.git(["add", "x.txt"], nested);
  rig.git(["commit", "--quiet", "-m", "x"], nested);
  write(join(clone.directory, "b.txt"), "b");
  const second = present(value(await clone.commitAll("beside a real one")), "a commit");
  const changed = value(await clone.changedPaths(first, second));
  expect(changed).toEqual([{ status: "added", path: "b.txt" }]);
  expect(existsSync(join(nested, "x.txt"))).toBe(true);
});

test("what an engine left for a filter of the machine is not committed past it, and the filter is not run", async () => {
  using rig = createRig();
  write(join(rig.hub.directory, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
  write(join(rig.hub.directory, "a.bin"), "pointer\n");
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "attributes"]);
  rig.git(["branch", "-f", BRANCH]);
  const ran = join(rig.root, "ran");
  for (const kind of ["clean", "smudge"]) {
    rig.git(["config", "--global", `filter.lfs.${kind}`, `touch ${ran}; exit 1`]);
  }
  rig.git(["config", "--global", "filter.lfs.required", "true"]);
  const clone = await rig.clone("builder");
  expect(read(join(clone.directory, "a.bin"))).toBe("pointer\n");
  write(join(clone.directory, "b.bin"), "content\n");
  const refused = await clone.commitAll("b.bin");
  expect(refused).toMatchObject({ ok: false, failure: { kind: "git", operation: "commit" } });
  expect(refused.ok ? "" : refused.failure.message).toContain("b.bin (filter lfs)");
  expect(value(await clone.head())).toBe(rig.git(["rev-parse", BRANCH]).trim());
  expect(existsSync(ran)).toBe(false);
});

test("does not commit what the user ignores globally or in this repository", async () => {
  using rig = createRig();
  write(join(rig.root, "home", ".config", "git", "ignore"), "*.swp\n");
  write(join(rig.hub.directory, ".git", "info", "exclude"), ".private/\n");
  const clone = await rig.clone("builder");
  write(join(clone.directory, "a.swp"), "x");
  write(join(clone.directory, ".private", "x"), "x");
  expect(value(await clone.commitAll("nothing"))).toBeUndefined();
});

test("squashing makes one commit of commits and uncommitted work", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const base = value(await clone.head());
  await commit(clone, "a.txt");
  await commit(clone, "b.txt");
  write(join(clone.directory, "c.txt"), "c");
  const squashed = present(value(await clone.squashSince(base, "all of it")), "a commit");
  expect(value(await clone.commitsSince(base))).toEqual([squashed]);
  expect(value(await clone.changedPaths(base, squashed))).toHaveLength(3);
  expect(value(await clone.isDirty())).toBe(false);
});

test("squashing work without a net change leaves the branch at its base", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const base = value(await clone.head());
  await commit(clone, "readme.md", "two\n");
  await commit(clone, "readme.md", "one\n");
  expect(value(await clone.squashSince(base, "nothing"))).toBeUndefined();
  expect(value(await clone.head())).toBe(base);
});

test("work on another branch or a detached HEAD is committed to the session's branch", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  rig.git(["checkout", "--quiet", "-b", "feature"], clone.directory);
  const made = await commit(clone, "a.txt");
  expect(rig.git(["rev-parse", `refs/heads/${BRANCH}`], clone.directory).trim()).toBe(made);
  rig.git(["checkout", "--quiet", "--detach", "HEAD~1"], clone.directory);
  value(await clone.commitAll("nothing, looking at an older commit"));
  expect(value(await clone.head())).toBe(made);
});

test("a conflict left in the work tree is not committed", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const base = value(await clone.head());
  await commit(clone, "readme.md", "two\n");
  rig.git(["checkout", "--quiet", "-b", "side", base], clone.directory);
  write(join(clone.directory, "readme.md"), "three\n");
  rig.git(["commit", "--quiet", "-am", "three"], clone.directory);
  expect(() => rig.git(["merge", BRANCH], clone.directory)).toThrow();
  expect(await clone.commitAll("markers")).toMatchObject({
    ok: false,
    failure: { kind: "git", message: "a merge was left unfinished in the clone" },
  });
});

test("reads the history: changed paths, trees, subjects, files", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const base = value(await clone.head());
  write(join(clone.directory, "moved.md"), read(join(clone.directory, "readme.md")));
  rmSync(join(clone.directory, "readme.md"));
  symlinkSync("moved.md", join(clone.directory, "link"));
  write(join(clone.directory, "empty.txt"), "");
  write(join(clone.directory, "dir", "deep.txt"), "deep");
  const made = present(
    value(await clone.commitAll("\u001B[31mred\u001B[0m \u202Eevil")),
    "a commit",
  );
  expect(value(await clone.changedPaths(base, made))).toEqual([
    { status: "added", path: "dir/deep.txt" },
    { status: "added", path: "empty.txt" },
    { status: "added", path: "link" },
    { status: "renamed", path: "moved.md" },
  ]);
  expect(value(await clone.changedPaths(made, made))).toEqual([]);
  const whole = value(await clone.diff(base, made, 1024 * 1024));
  expect(whole.isWhole).toBe(true);
  expect(whole.text).toMatch(/^rename from readme\.md$/mu);
  expect(whole.text).toMatch(/^\+deep$/mu);
  expect(value(await clone.diff(base, made, 60))).toEqual({
    text: "diff --git a/dir/deep.txt b/dir/deep.txt\n",
    isWhole: false,
  });
  expect(value(await clone.diff(made, made, 60))).toEqual({ text: "", isWhole: true });
  expect(value(await clone.subjectOf(made))).toBe("red evil");
  expect(value(await clone.treeOf(made))).toMatch(/^[0-9a-f]{40}$/u);
  expect(value(await clone.show(made, "empty.txt"))).toBe("");
  for (const path of [
    "readme.md",
    "",
    ".",
    "dir",
    "dir/",
    "nul\0",
    "link",
    "../hub/readme.md",
    "nowhere",
  ]) {
    expect(value(await clone.show(made, path))).toBeUndefined();
  }
  expect(await clone.has(made)).toBe(true);
  expect(await clone.has("0".repeat(40))).toBe(false);
});

test("an invalid id is an assertion failure, and never reaches git as an option", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  await expect(clone.subjectOf(`--output=${rig.root}/written`)).rejects.toThrow("assertion failed");
  expect(existsSync(join(rig.root, "written"))).toBe(false);
});

test("the clone's own hooks and planted settings are neither run nor kept", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const ran = join(rig.root, "ran");
  const script = join(clone.directory, ".git", "hooks", "pre-commit");
  for (const hook of [
    "pre-commit",
    "commit-msg",
    "post-checkout",
    "post-commit",
    "pre-rebase",
    "reference-transaction",
    "post-index-change",
  ]) {
    write(join(clone.directory, ".git", "hooks", hook), `#!/bin/sh\ntouch ${ran}\n`);
    chmodSync(join(clone.directory, ".git", "hooks", hook), 0o755);
  }
  const set = (key: string, text: string) => rig.git(["config", key, text], clone.directory);
  set("core.hooksPath", ".git/hooks");
  set("core.fsmonitor", script);
  set("core.worktree", rig.hub.directory);
  set("filter.evil.clean", `touch ${ran}; cat`);
  set("filter.evil.smudge", `touch ${ran}; cat`);
  set("diff.external", script);
  set("commit.gpgSign", "true");
  set("gpg.program", script);
  set("include.path", join(rig.root, "included"));
  write(join(clone.directory, ".git", "info", "attributes"), "* filter=evil\n");
  write(join(clone.directory, ".git", "commondir"), join(rig.hub.directory, ".git"));
  mkdirSync(join(clone.directory, "sub"));
  const made = await commit(clone, "a.txt");
  value(await clone.publish(made));
  value(await clone.rebaseOntoHub());
  value(await clone.syncTo());
  expect(existsSync(ran)).toBe(false);
  expect(await rig.hub.head(BRANCH)).toBe(made);
  expect(rig.git(["config", "--local", "--get", "core.hooksPath"], clone.directory)).toBe(
    "/dev/null\n",
  );
  expect(read(join(rig.hub.directory, "readme.md"))).toBe("one\n");
});

test("a check of the work tree does not run a populated submodule's settings", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const ran = join(rig.root, "ran");
  const nested = join(clone.directory, "nested");
  rig.git(["init", "--quiet", nested], rig.root);
  write(join(nested, "x.txt"), "x");
  rig.git(["add", "x.txt"], nested);
  rig.git(["commit", "--quiet", "-m", "x"], nested);
  rig.git(["add", "nested"], clone.directory);
  rig.git(["commit", "--quiet", "-m", "as a submodule"], clone.directory);
  write(join(rig.root, "evil.sh"), `#!/bin/sh\ntouch ${ran}\n`);
  chmodSync(join(rig.root, "evil.sh"), 0o755);
  rig.git(["config", "core.fsmonitor", join(rig.root, "evil.sh")], nested);
  rig.git(["config", "filter.evil.clean", `touch ${ran}; cat`], nested);
  write(join(nested, ".git", "info", "attributes"), "* filter=evil\n");
  write(join(nested, "x.txt"), "y");
  expect(value(await clone.isDirty())).toBe(false);
  await commit(clone, "a.txt");
  value(await clone.clean());
  expect(existsSync(ran)).toBe(false);
});

test("a clone without its .git directory fails, and no repository around it is touched", async () => {
  using rig = createRig();
  rig.git(["init", "--quiet", join(rig.root, "state")], rig.root);
  const clone = await rig.clone("builder");
  write(join(rig.root, "state", "precious.txt"), "precious");
  rmSync(join(clone.directory, ".git"), { recursive: true });
  expect(await clone.clean()).toMatchObject({ ok: false, failure: { kind: "git" } });
  expect(await clone.syncTo()).toMatchObject({ ok: false, failure: { kind: "git" } });
  expect(statSync(join(rig.root, "state", "precious.txt")).size).toBe(8);
});
