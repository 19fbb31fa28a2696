import { existsSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Oid } from "../../src/base/oid.ts";
import { RESTING_CLONE_BYTES_MAX } from "../../src/base/limits.ts";
import { BASE_REFS_MAX } from "../../src/git/refs/refs-limits.ts";
import type { Clone } from "../../src/base/ports/repo.ts";
import { createClone } from "../../src/git/clone/create-clone.ts";
import { openTree } from "../../src/git/clone/open-tree.ts";
import { findBaseRefs } from "../../src/git/refs/base-refs.ts";
import { freezeRefs } from "../../src/git/refs/frozen-refs.ts";
import { mergedRefs, packedRefsText, parsePackedRefs } from "../../src/git/refs/packed-refs.ts";
import { openHub } from "../../src/git/repository/hub.ts";
import { createNodeLocks } from "../../src/host/locks/node-locks.ts";
import { systemClock } from "../../src/host/system/system-clock.ts";
import { noted } from "./noted-clone.ts";
import { BRANCH, commit, createRig, IDENTITY, read, value, write } from "./rig.ts";

const BASE = "base";

/**
 * A repository cloned from an upstream that has gone on since, with tags before, at and after the base, one of them
 * with an object of its own; its session begins at the tag `base`.
 */
function taggedRig(format = "sha1") {
  const rig = createRig();
  const hub = rig.hub.directory;
  const upstream = join(rig.root, "upstream");
  rig.git(["init", "--quiet", "-b", "main", `--object-format=${format}`, upstream], rig.root);
  const make = (name: string, at: string) => {
    write(join(at, name), `${name}\n`);
    rig.git(["add", "--all"], at);
    rig.git(["commit", "--quiet", "-m", name], at);
  };
  make("one.txt", upstream);
  rig.git(["tag", "-a", "-m", "the first", "v1.0"], upstream);
  make("two.txt", upstream);
  rig.git(["tag", "light"], upstream);
  rmSync(hub, { recursive: true });
  rig.git(["clone", "--quiet", upstream, hub], rig.root);
  make("three.txt", hub);
  rig.git(["tag", BASE]);
  make("ahead.txt", upstream);
  rig.git(["fetch", "--quiet"]);
  make("later.txt", hub);
  rig.git(["tag", "-a", "-m", "after the base", "v2.0"]);
  rig.git(["reset", "--quiet", "--hard", BASE]);
  rig.git(["branch", "other", "origin/main"]);
  rig.git(["branch", BRANCH]);
  const base = Oid.parse(rig.git(["rev-parse", "HEAD"]).trim());
  const frozen = { directory: join(rig.root, "state", "refs"), base };
  const context = { ...rig.context, clock: systemClock };
  const locks = createNodeLocks({ files: context.files, clock: systemClock });
  const store = { directory: join(rig.root, "state", ".objects"), locks };
  const options = (name: string) => ({
    ...{ hub: openHub(context, hub), branch: BRANCH, session: "s", identity: IDENTITY },
    ...{ directory: join(rig.root, "state", name), refs: frozen },
  });
  return {
    ...{ rig, base, frozen, context, hub, store, options, make },
    freeze: async () => {
      const found = value(await findBaseRefs(context, { directory: hub, base }));
      value(await freezeRefs(context, { hub, frozen }, found));
      return found;
    },
    /** The names of a clone's references, and what they lead to. */
    named: ({ directory }: Pick<Clone, "directory">) =>
      rig
        .git(["for-each-ref", "--format=%(refname) %(objecttype) %(subject)"], directory)
        .trim()
        .split("\n"),
    [Symbol.dispose]: () => rig[Symbol.dispose](),
  };
}

const AT_BASE = [
  "refs/heads/main commit three.txt",
  `refs/heads/${BRANCH} commit three.txt`,
  // Not where the upstream is now: that commit is no part of what the session began with.
  "refs/remotes/origin/HEAD commit two.txt",
  "refs/remotes/origin/main commit two.txt",
  "refs/tags/base commit three.txt",
  "refs/tags/light commit two.txt",
  "refs/tags/v1.0 tag the first",
  "refs/wisp/hub commit three.txt",
];

test.each(["sha1", "sha256"])(
  "a clone has the tags, the branch and the upstream of the base, with ids of %s, and a later commit is counted from them",
  async (format) => {
    using at = taggedRig(format);
    await at.freeze();
    for (const store of [undefined, at.store]) {
      const name = store === undefined ? "full" : "sharing";
      const clone = value(await createClone(at.context, { ...at.options(name), store }));
      expect({ name, named: at.named(clone) }).toEqual({ name, named: AT_BASE });
      const inClone = (...words: string[]) => at.rig.git(words, clone.directory).trim();
      expect(inClone("describe")).toMatch(/^v1\.0-2-g/u);
      await commit(clone, "new.txt");
      expect(inClone("diff", "--name-only", "main...HEAD")).toBe("new.txt");
      expect(inClone("diff", "--name-only", "origin/main...HEAD")).toBe("new.txt\nthree.txt");
      expect(inClone("describe", "--tags", "--match", "light")).toMatch(/^light-2-g/u);
      expect(inClone("fsck", "--strict", "--no-dangling")).toBe("");
      expect(existsSync(join(clone.directory, ".git", "refs", "tags", "v1.0"))).toBe(false);
    }
  },
);

test("tags that are made, moved or deleted after the session began change no clone", async () => {
  using at = taggedRig();
  await at.freeze();
  at.rig.git(["tag", "new", BASE]);
  at.rig.git(["tag", "-f", "light", BASE]);
  at.rig.git(["tag", "-d", "v1.0"]);
  at.rig.git(["reflog", "expire", "--expire=now", "--all"]);
  at.rig.git(["gc", "--quiet", "--prune=now"]);
  const clone = value(await createClone(at.context, { ...at.options("first"), store: at.store }));
  expect(at.named(clone)).toEqual(AT_BASE);
  expect(at.rig.git(["describe"], clone.directory)).toMatch(/^v1\.0-2-g/u);
  // Frozen again by another process: the first one decides.
  await at.freeze();
  const second = value(await createClone(at.context, at.options("second")));
  expect(at.named(second)).toEqual(AT_BASE);
});

test("a clone that was made before references were kept gets them when it is opened again", async () => {
  using at = taggedRig();
  const { refs: _, ...before } = at.options("first");
  await createClone(at.context, { ...before, store: at.store });
  // Nothing tells any more which branch was checked out, but the remote's own is known.
  at.rig.git(["checkout", "--quiet", BRANCH]);
  const clone = value(await createClone(at.context, { ...at.options("first"), store: at.store }));
  expect(at.named(clone)).toEqual(AT_BASE);
});

test("what an engine did to references of its own clone stays, however they are stored", async () => {
  using at = taggedRig();
  await at.freeze();
  const clone = value(await createClone(at.context, at.options("first")));
  const { directory } = clone;
  await commit(clone, "new.txt");
  at.rig.git(["tag", "-a", "-m", "my own", "mine"], directory);
  at.rig.git(["tag", "-f", "light"], directory);
  at.rig.git(["tag", "-d", "v1.0"], directory);
  const own = ["refs/tags/light commit add new.txt", "refs/tags/mine tag my own"];
  for (const pack of [["--all"], ["--all", "--prune"]]) {
    at.rig.git(["pack-refs", ...pack], directory);
    const again = value(await createClone(at.context, at.options("first")));
    const named = at.named(again);
    expect(named).toEqual(expect.arrayContaining(own));
    // What was removed comes back.
    expect(named).toContain("refs/tags/v1.0 tag the first");
    expect(at.rig.git(["fsck", "--strict", "--no-dangling"], directory)).toBe("");
  }
});

const DEEDS: readonly (readonly [string, readonly (readonly string[])[]])[] = [
  ["moved a tag", [["tag", "-f", "light", "HEAD"]]],
  [
    "made tags and branches",
    [
      ["tag", "x/y"],
      ["branch", "wisp/second"],
      ["branch", "main/x"],
    ],
  ],
  ["deleted tags", [["tag", "-d", "v1.0", "light"]]],
  [
    "packed all references",
    [
      ["tag", "-f", "light", "HEAD"],
      ["pack-refs", "--all"],
    ],
  ],
  ["collected garbage", [["gc", "--quiet", "--prune=now"]]],
  [
    "stashed and noted",
    [
      ["notes", "add", "-m", "x"],
      ["update-ref", "refs/stash", "HEAD"],
    ],
  ],
];

test.each(DEEDS)(
  "a tree whose command %s has the references of the base at its next use",
  async (_, deeds) => {
    using at = taggedRig();
    await at.freeze();
    const holder = value(
      await createClone(at.context, { ...at.options("first"), store: at.store }),
    );
    const options = { ...at.options("tree"), store: at.store };
    const tree = value(await openTree(at.context, options));
    value(await tree.checkOut(at.base, holder));
    expect(at.named(tree)).toEqual(AT_BASE);
    for (const words of deeds) {
      // `main/x` cannot be beside a packed `main`.
      if (words.includes("main/x")) at.rig.git(["branch", "-D", "main"], tree.directory);
      at.rig.git(words, tree.directory);
    }
    value(await tree.checkOut(at.base, holder));
    expect(at.named(tree)).toEqual(AT_BASE);
    expect(at.rig.git(["describe"], tree.directory)).toMatch(/^v1\.0-2-g/u);
    expect(at.rig.git(["status", "--porcelain", "--branch"], tree.directory)).toBe(
      `## ${BRANCH}\n`,
    );
  },
);

test.each(["refs", "refs/tags", "refs/heads", "packed-refs", "objects/pack"])(
  "a link that a command made of .git/%s in a tree leads nowhere: the repository stays as it is",
  async (path) => {
    using at = taggedRig();
    await at.freeze();
    const holder = value(await createClone(at.context, at.options("first")));
    const tree = value(await openTree(at.context, at.options("tree")));
    value(await tree.checkOut(at.base, holder));
    at.rig.git(["pack-refs", "--no-prune"]);
    const inHub = () =>
      ["refs", "packed-refs", "objects/pack"].map((name) => listed(join(at.hub, ".git", name)));
    const before = { named: at.named({ directory: at.hub }), files: inHub() };
    const place = join(tree.directory, ".git", path);
    rmSync(place, { recursive: true, force: true });
    symlinkSync(join(at.hub, ".git", path), place);
    await tree.checkOut(at.base, holder);
    expect({ named: at.named({ directory: at.hub }), files: inHub() }).toEqual(before);
  },
);

/** The names below a folder with their times, or the text of a file. */
function listed(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [read(path)];
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).sort();
  return names.map((name) => `${name} ${String(statSync(join(path, name)).ctimeMs)}`);
}

test("ten thousand tags are one file, and neither clones nor the next use of a tree start a process for them", async () => {
  using rig = createRig();
  const { clone: holder, hub, context, ran } = await noted(rig);
  const head = rig.git(["rev-parse", "HEAD"]).trim();
  const lines = Array.from({ length: 10_000 }, (_, n) => `${head} refs/tags/v${String(n)}\n`);
  write(join(rig.hub.directory, ".git", "packed-refs"), lines.join(""));
  const frozen = { directory: join(rig.root, "state", "refs"), base: Oid.parse(head) };
  const of = { directory: rig.hub.directory, base: frozen.base };
  const found = value(await findBaseRefs(context, of));
  value(await freezeRefs(context, { hub: rig.hub.directory, frozen }, found));
  const place = { hub, branch: BRANCH, directory: join(rig.root, "state", "tree"), session: "s" };
  const tree = value(await openTree(context, { ...place, identity: IDENTITY, refs: frozen }));
  value(await tree.checkOut(frozen.base, holder));
  ran();
  value(await tree.checkOut(frozen.base, holder));
  expect(ran()).toEqual([""]);
  const tags = rig.git(["for-each-ref", "--format=%(refname)", "refs/tags"], tree.directory);
  expect(tags.trim().split("\n")).toHaveLength(10_000);
  expect(existsSync(join(tree.directory, ".git", "refs", "tags", "v1"))).toBe(false);
});

test("a large clone with the references of the base has nothing of its own until one is moved", async () => {
  using at = taggedRig();
  write(join(at.hub, "large.bin"), "x".repeat(RESTING_CLONE_BYTES_MAX + 1));
  at.make("readme.md", at.hub);
  at.rig.git(["branch", "-f", BRANCH]);
  await at.freeze();
  const options = { ...at.options("first"), store: at.store };
  const moved = value(await createClone(at.context, options));
  at.rig.git(["tag", "-f", "light"], moved.directory);
  expect(value(await moved.rest())).toBe(false);
  at.rig.git(["tag", "-d", "light"], moved.directory);
  const clone = value(await createClone(at.context, options));
  expect(value(await clone.rest())).toBe(true);
  expect(existsSync(clone.directory)).toBe(false);
});

test("a file of packed references is written as git writes it, and what git packed later is kept beside it", () => {
  using at = taggedRig();
  at.rig.git(["pack-refs", "--all"]);
  const byGit = read(join(at.hub, ".git", "packed-refs"), "latin1");
  expect(packedRefsText(parsePackedRefs(byGit))).toBe(byGit);
  const wanted = packedRefsText({ isPeeled: true, refs: parsePackedRefs(byGit).refs.slice(0, 1) });
  expect(mergedRefs(byGit, wanted, () => true)).toBe(byGit);
  expect(mergedRefs(byGit, wanted, () => false)).toBe(wanted);
});

test("a tag whose commit is gone is left out, and of more tags than the limit none is given, for a reason that is told", async () => {
  using at = taggedRig();
  const tags = join(at.hub, ".git", "refs", "tags");
  write(join(tags, "lost"), `${"1".repeat(40)}\n`);
  const of = { directory: at.hub, base: at.base };
  const found = value(await findBaseRefs(at.context, of));
  expect(found.problem).toBeUndefined();
  expect(found.refs.map(({ name }) => name)).not.toContain("refs/tags/lost");
  const many = Array.from({ length: BASE_REFS_MAX }, (_, n) => `${at.base} refs/tags/n${n}\n`);
  write(join(at.hub, ".git", "packed-refs"), many.join(""));
  const { problem, refs } = await at.freeze();
  expect(problem).toBe("there are more than 100000 of them");
  expect(refs.filter(({ name }) => name.startsWith("refs/tags/"))).toEqual([]);
  const clone = value(await createClone(at.context, at.options("first")));
  expect(at.rig.git(["tag"], clone.directory)).toBe("");
});
