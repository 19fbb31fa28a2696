import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { RESTING_CLONE_BYTES_MAX } from "../../src/base/limits.ts";
import { onFailpoint } from "../../src/base/ports/failpoint.ts";
import type { Clone } from "../../src/base/ports/repo.ts";
import { createClone } from "../../src/git/clone/create-clone.ts";
import { isLargeCheckout, removeClone } from "../../src/git/clone/rest-clone.ts";
import { SETUP_MARKER } from "../../src/git/clone/setup-marker.ts";
import { openHub } from "../../src/git/repository/hub.ts";
import { createNodeLocks } from "../../src/host/locks/node-locks.ts";
import { systemClock } from "../../src/host/system/system-clock.ts";
import { BRANCH, commit, createRig, IDENTITY, read, value, write, type Rig } from "./rig.ts";

afterEach(() => onFailpoint(undefined));

/** A rig whose branch has a large file that takes little room in a pack, and ignores `made/`. */
function largeRig(bytes = RESTING_CLONE_BYTES_MAX + 1) {
  const rig = createRig();
  writeFileSync(join(rig.hub.directory, "large.bin"), Buffer.alloc(bytes));
  write(join(rig.hub.directory, ".gitignore"), "made/\n");
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "large"]);
  rig.git(["branch", "-f", BRANCH]);
  const context = { ...rig.context, clock: systemClock };
  const locks = createNodeLocks({ files: context.files, clock: systemClock });
  const store = { directory: join(rig.root, "state", ".objects"), locks };
  const open = async (hasStore = true): Promise<Clone> => {
    const place = { hub: openHub(context, rig.hub.directory), branch: BRANCH, session: "first" };
    const directory = join(rig.root, "state", "first", "builder", "clone");
    const options = { ...place, directory, identity: IDENTITY, setup: [] };
    return value(await createClone(context, { ...options, ...(hasStore ? { store } : {}) }));
  };
  return { rig, open, [Symbol.dispose]: () => rig[Symbol.dispose]() };
}

test("a large clone with nothing of its own is removed, and is the same when it is needed again", async () => {
  using at = largeRig();
  const clone = await at.open();
  value(await clone.publish(await commit(clone, "a.txt")));
  expect(value(await clone.rest())).toBe(true);
  expect(readdirSync(dirname(clone.directory))).toEqual([]);
  const again = await at.open();
  value(await again.syncTo());
  expect(read(join(again.directory, "a.txt"))).toBe("a.txt\n");
  value(await again.publish(await commit(again, "b.txt")));
});

test("a clone has left its path before any part of it is removed, so that none is taken for a broken clone", async () => {
  using at = largeRig(1_000);
  const { directory } = await at.open();
  const whileRemoving: boolean[] = [];
  onFailpoint((name) => {
    if (name === "rm.before") whileRemoving.push(existsSync(directory));
  });
  value(removeClone(at.rig.context, directory));
  expect(whileRemoving).toEqual([false, false]);
});

const HELD: readonly (readonly [string, (clone: Clone, rig: Rig) => unknown])[] = [
  ["a changed file", ({ directory }) => write(join(directory, "readme.md"), "changed\n")],
  ["an untracked file", ({ directory }) => write(join(directory, "new.txt"), "new\n")],
  ["an ignored file", ({ directory }) => write(join(directory, "made/x"), "made\n")],
  ["an unpublished commit", (clone) => commit(clone, "a.txt")],
  [
    "a stash",
    ({ directory }, rig) => {
      write(join(directory, "readme.md"), "changed\n");
      rig.git(["stash", "--quiet"], directory);
    },
  ],
  ["a branch of its own", ({ directory }, rig) => rig.git(["branch", "mine"], directory)],
  [
    "a changed file that git was told to ignore",
    ({ directory }, rig) => {
      rig.git(["update-index", "--assume-unchanged", "readme.md"], directory);
      write(join(directory, "readme.md"), "changed\n");
    },
  ],
  [
    "an unfinished merge",
    ({ directory }) => write(join(directory, ".git", "MERGE_HEAD"), `${"0".repeat(40)}\n`),
  ],
  [
    "what a setup made elsewhere",
    ({ directory }) => write(join(directory, ".git", SETUP_MARKER), "digest"),
  ],
  [
    "a submodule",
    ({ directory }, rig) => {
      const head = rig.git(["rev-parse", "HEAD"], directory).trim();
      rig.git(["update-index", "--add", "--cacheinfo", `160000,${head},sub`], directory);
      rig.git(["commit", "--quiet", "-m", "sub"], directory);
      rig.git(["fetch", "--quiet", directory, `HEAD:${BRANCH}`]);
      mkdirSync(join(directory, "sub"), { recursive: true });
    },
  ],
];

test.each(HELD)("a clone with %s stays", async (_, make) => {
  using at = largeRig();
  const clone = await at.open();
  await make(clone, at.rig);
  expect(value(await clone.rest())).toBe(false);
  expect(existsSync(join(clone.directory, "large.bin"))).toBe(true);
});

test("a large clone with submodules is removed, and is the same when it is needed again, unless something was made in them", async () => {
  using at = largeRig();
  const { rig } = at;
  const lib = join(rig.root, "lib");
  rig.git(["init", "--quiet", lib], rig.root);
  write(join(lib, "sum.js"), "sum\n");
  write(join(lib, ".gitignore"), "out/\n");
  rig.git(["add", "--all"], lib);
  rig.git(["commit", "--quiet", "-m", "lib"], lib);
  rig.git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, "vendor/lib"]);
  rig.git(["commit", "--quiet", "-m", "Add lib"]);
  rig.git(["branch", "-f", BRANCH]);
  const clone = await at.open();
  const made = join(clone.directory, "vendor/lib/out/made");
  write(made, "made\n");
  expect(value(await clone.rest())).toBe(false);
  rmSync(dirname(made), { recursive: true });
  expect(value(await clone.rest())).toBe(true);
  expect(readdirSync(dirname(clone.directory))).toEqual([]);
  const again = await at.open();
  expect(read(join(again.directory, "vendor/lib/sum.js"))).toBe("sum\n");
});

test("a repository with large files is told by the index of its checkout", () => {
  using small = largeRig(RESTING_CLONE_BYTES_MAX - 1_000);
  using large = largeRig();
  const isLarge = ({ rig }: typeof small) => isLargeCheckout(rig.context, rig.hub.directory);
  expect([isLarge(small), isLarge(large)]).toEqual([false, true]);
});

test("a clone stays if it is small, or has copies of all objects", async () => {
  using small = largeRig(RESTING_CLONE_BYTES_MAX - 1_000);
  using full = largeRig();
  for (const clone of [await small.open(), await full.open(false)]) {
    expect(value(await clone.rest())).toBe(false);
    expect(existsSync(clone.directory)).toBe(true);
  }
});
