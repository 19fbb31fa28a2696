import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { onFailpoint } from "../../src/base/ports/failpoint.ts";
import type { Clone } from "../../src/base/ports/repo.ts";
import { ok } from "../../src/base/result.ts";
import { createClone } from "../../src/git/clone/create-clone.ts";
import { openTree } from "../../src/git/clone/open-tree.ts";
import { openHub } from "../../src/git/repository/hub.ts";
import { borrowObjects } from "../../src/git/store/borrow-objects.ts";
import type { ObjectStore } from "../../src/git/store/object-store.ts";
import { removeUnused } from "../../src/git/store/remove-store.ts";
import { createNodeLocks } from "../../src/host/locks/node-locks.ts";
import { systemClock } from "../../src/host/system/system-clock.ts";
import { BRANCH, commit, createRig, IDENTITY, read, refs, value, write, type Rig } from "./rig.ts";

afterEach(() => onFailpoint(undefined));

/** A rig whose waits are real, and its store. */
function storeRig() {
  const rig = createRig();
  const context = { ...rig.context, clock: systemClock };
  const store: ObjectStore = {
    directory: join(rig.root, "state", ".objects"),
    locks: createNodeLocks({ files: context.files, clock: systemClock }),
  };
  const open = (name: string, more: Partial<Parameters<typeof createClone>[1]> = {}) => {
    const directory = join(rig.root, "state", "first", name, "clone");
    const place = { hub: openHub(context, rig.hub.directory), branch: BRANCH, directory };
    return createClone(context, { ...place, session: "first", identity: IDENTITY, store, ...more });
  };
  return {
    ...{ rig, context, store, open },
    clone: async (name: string) => value(await open(name)),
    [Symbol.dispose]: () => rig[Symbol.dispose](),
  };
}

function shared({ directory }: ObjectStore): string {
  return join(directory, "shared");
}

function alternatesOf({ directory }: Clone): string {
  return join(directory, ".git", "objects", "info", "alternates");
}

/** The files of objects in a folder, those of packs and others. */
function objectFiles(objects: string): readonly string[] {
  const all = readdirSync(objects, { recursive: true, encoding: "utf8" });
  const files = all.map((name) => join(objects, name)).filter((path) => lstatSync(path).isFile());
  return files.filter((path) => !path.includes("/info/"));
}

function ownObjects({ directory }: Clone): readonly string[] {
  return objectFiles(join(directory, ".git", "objects"));
}

/** Everything a clone has is at hand, and it can work and publish. */
async function expectWorking(rig: Rig, clone: Clone, name: string): Promise<void> {
  value(await clone.syncTo());
  rig.git(["fsck", "--strict", "--no-progress"], clone.directory);
  const made = await commit(clone, name);
  value(await clone.publish(made));
  expect(await rig.hub.head(BRANCH)).toBe(made);
}

test("clones hold no objects but their own; no file of the store is a link into the repository", async () => {
  using at = storeRig();
  const { rig, store, context } = at;
  rig.git(["repack", "-q", "-a", "-d"]);
  write(join(rig.hub.directory, "loose.txt"), "loose\n");
  rig.git(["add", "loose.txt"]);
  rig.git(["commit", "--quiet", "-m", "loose"]);
  rig.git(["branch", "-f", BRANCH]);
  const clones = [await at.clone("builder"), await at.clone("tester")];
  for (const clone of clones) {
    expect(ownObjects(clone)).toEqual([]);
    expect(read(alternatesOf(clone))).toBe(`${shared(store)}\n`);
    expect(rig.git(["status", "--porcelain"], clone.directory)).toBe("");
  }
  const files = objectFiles(shared(store));
  expect(files.length).toBeGreaterThan(4);
  expect(files.filter((path) => lstatSync(path).nlink > 1)).toEqual([]);
  const [builder, tester] = clones;
  await expectWorking(rig, present(builder, "a clone"), "a.txt");
  await expectWorking(rig, present(tester, "a clone"), "b.txt");
  const directory = join(rig.root, "state", "first", "verify", "1", "tree");
  const hub = openHub(context, rig.hub.directory);
  const place = { hub, branch: BRANCH, directory, session: "first", store };
  const tree = value(await openTree(context, { ...place, identity: IDENTITY }));
  const unpublished = await commit(present(builder, "a clone"), "c.txt");
  value(await tree.checkOut(unpublished, present(builder, "a clone")));
  expect(read(join(directory, "c.txt"))).toBe("c.txt\n");
});

test("clones that are made at once share one store, and each is complete", async () => {
  using at = storeRig();
  const names = ["planner", "builder", "reviewer", "tester"];
  const made = await Promise.all(names.map((name) => at.clone(name)));
  for (const clone of made) {
    expect(read(alternatesOf(clone))).toBe(`${shared(at.store)}\n`);
    await expectWorking(at.rig, clone, `${String(made.indexOf(clone))}.txt`);
  }
  const beside = readdirSync(join(at.rig.root, "state")).filter((name) => name.startsWith("."));
  expect(beside.filter((name) => !name.includes(".lock"))).toEqual([".objects"]);
});

test("a later session finds what was committed meanwhile in the store", async () => {
  using at = storeRig();
  const { rig } = at;
  const first = await at.clone("builder");
  value(await first.publish(await commit(first, "a.txt")));
  const packs = () => objectFiles(join(shared(at.store), "pack"));
  const before = packs();
  const second = await at.clone("tester");
  expect(ownObjects(second)).toEqual([]);
  expect(packs().length).toBeGreaterThan(before.length);
  expect(read(join(second.directory, "a.txt"))).toBe("a.txt\n");
  rig.git(["fsck", "--strict", "--no-progress"], first.directory);
});

test("a commit that only the store still has is published and rescued whole", async () => {
  using at = storeRig();
  const { rig } = at;
  rig.git(["checkout", "--quiet", "-b", "side"]);
  write(join(rig.hub.directory, "side.txt"), "side\n");
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "side"]);
  const side = rig.git(["rev-parse", "HEAD"]).trim();
  rig.git(["checkout", "--quiet", "main"]);
  const clone = await at.clone("builder");
  rig.git(["branch", "-D", "side"]);
  rig.git(["-c", "gc.reflogExpire=now", "reflog", "expire", "--expire=now", "--all"]);
  rig.git(["gc", "--quiet", "--prune=now"]);
  expect(() => rig.git(["cat-file", "-e", side])).toThrow();
  rig.git(["reset", "--quiet", "--hard", side], clone.directory);
  const { rescue } = value(await clone.rescueAndReset());
  expect(rig.git(["show", `${rescue ?? ""}:side.txt`])).toBe("side\n");
  expect(refs(rig, "refs/wisp/rescue/")).toEqual([rescue]);
  rig.git(["update-ref", "-d", rescue ?? ""]);
  rig.git(["gc", "--quiet", "--prune=now"]);
  rig.git(["reset", "--quiet", "--hard", side], clone.directory);
  value(await clone.publish(side));
  rig.git(["fsck", "--strict", "--no-progress"]);
  expect(rig.git(["show", `${BRANCH}:side.txt`])).toBe("side\n");
  expect(existsSync(join(rig.hub.directory, ".git", "objects", "info", "alternates"))).toBe(false);
});

test.each(["", "/elsewhere/objects\n", undefined])(
  "whatever an engine makes of what its clone borrows (%j) is undone before the next turn",
  async (planted) => {
    using at = storeRig();
    const clone = await at.clone("builder");
    const head = value(await clone.head());
    value(await clone.syncTo(head));
    expect(value(await clone.commitAll("nothing"))).toBeUndefined();
    if (planted === undefined) rmSync(alternatesOf(clone));
    else writeFileSync(alternatesOf(clone), planted);
    appendFileSync(
      join(clone.directory, ".git", "config"),
      '[wisp]\n\tobjects = "/elsewhere/objects"\n',
    );
    value(await clone.syncTo(head));
    expect(read(alternatesOf(clone))).toBe(`${shared(at.store)}\n`);
  },
);

test("a clone with copies of its own goes on with them", async () => {
  using at = storeRig();
  const full = value(await at.open("builder", { store: undefined }));
  const own = ownObjects(full);
  const again = await at.clone("builder");
  expect(existsSync(alternatesOf(again))).toBe(false);
  expect(ownObjects(again)).toEqual(own);
  expect(existsSync(at.store.directory)).toBe(false);
});

test("a clone that may no longer borrow gets copies, and keeps its work", async () => {
  using at = storeRig();
  const borrowing = await at.clone("builder");
  const made = await commit(borrowing, "a.txt");
  const own = value(await at.open("builder", { store: undefined }));
  expect(value(await own.head())).toBe(made);
  expect(await own.isDirty()).toEqual({ ok: true, value: false });
  expect(existsSync(alternatesOf(own))).toBe(false);
  rmSync(at.store.directory, { recursive: true });
  await expectWorking(at.rig, own, "b.txt");
});

test.each([
  ["is gone", (objects: string) => rmSync(objects, { recursive: true })],
  [
    "lacks a pack",
    (objects: string) => {
      for (const path of objectFiles(join(objects, "pack"))) rmSync(path);
    },
  ],
  [
    "has a pack that was cut off",
    (objects: string) => {
      for (const path of objectFiles(join(objects, "pack"))) truncateSync(path, 20);
    },
  ],
  [
    "lacks single objects",
    (objects: string) => {
      for (const name of readdirSync(objects).filter((one) => /^[0-9a-f]{2}$/u.test(one))) {
        rmSync(join(objects, name), { recursive: true });
      }
    },
  ],
])("a store that %s is filled again when a clone is opened", async (_, damage) => {
  using at = storeRig();
  const { rig } = at;
  rig.git(["repack", "-q", "-a", "-d"]);
  write(join(rig.hub.directory, "loose.txt"), "loose\n");
  rig.git(["add", "loose.txt"]);
  rig.git(["commit", "--quiet", "-m", "loose"]);
  rig.git(["branch", "-f", BRANCH]);
  await at.clone("builder");
  damage(shared(at.store));
  const again = await at.clone("builder");
  expect(read(alternatesOf(again))).toBe(`${shared(at.store)}\n`);
  await expectWorking(rig, again, "a.txt");
});

test("what a damaged store alone still has is kept when it is filled again", async () => {
  using at = storeRig();
  const { rig } = at;
  const clone = await at.clone("builder");
  value(await clone.publish(await commit(clone, "a.txt")));
  const tester = await at.clone("tester");
  const published = value(await tester.head());
  rig.git(["branch", "-f", BRANCH, "main"]);
  rig.git(["reflog", "expire", "--expire=now", "--all"]);
  rig.git(["gc", "--quiet", "--prune=now"]);
  for (const name of readdirSync(shared(at.store)).filter((one) => /^[0-9a-f]{2}$/u.test(one))) {
    rmSync(join(shared(at.store), name), { recursive: true });
  }
  const again = await at.clone("tester");
  expect(await again.has(published)).toBe(true);
  rig.git(["fsck", "--strict", "--no-progress"], again.directory);
});

test("if the store's content is spoilt, a new clone gets copies of its own", async () => {
  using at = storeRig();
  const { rig } = at;
  await at.clone("builder");
  for (const path of objectFiles(shared(at.store))) {
    const size = lstatSync(path).size;
    rmSync(path);
    writeFileSync(path, Buffer.alloc(size, 1));
  }
  const full = await at.clone("tester");
  expect(existsSync(alternatesOf(full))).toBe(false);
  await expectWorking(rig, full, "a.txt");
});

test("an incomplete store that cannot be filled again is named", async () => {
  using at = storeRig();
  await at.clone("builder");
  rmSync(at.store.directory, { recursive: true });
  writeFileSync(`${at.store.directory}.making`, "");
  mkdirSync(join(at.rig.root, "state"), { recursive: true });
  rmSync(join(at.rig.hub.directory, ".git", "objects", "pack"), { recursive: true });
  writeFileSync(join(at.rig.hub.directory, ".git", "objects", "pack"), "");
  const opened = await at.open("builder");
  expect(opened.ok ? "opened" : opened.failure.message).toMatch(
    /objects that the clones share are incomplete/u,
  );
});

test.each(["a cut history", "objects that it borrows"])(
  "clones of a repository with %s have copies of their own",
  async (what) => {
    using at = storeRig();
    const { rig } = at;
    const other = join(rig.root, "other");
    const words = what === "a cut history" ? ["--depth=1", "--no-local"] : ["--shared"];
    rig.git(["clone", "--quiet", ...words, `file://${rig.hub.directory}`, other], rig.root);
    if (what !== "a cut history") {
      write(join(other, ".git/objects/info/alternates"), `${rig.hub.directory}/.git/objects\n`);
    }
    rig.git(["branch", BRANCH], other);
    const clone = value(await at.open("builder", { hub: openHub(at.context, other) }));
    expect(existsSync(at.store.directory)).toBe(false);
    value(await clone.publish(await commit(clone, "a.txt")));
  },
);

/** The outcome of `act` in a process that dies at the `nth` point that it passes. */
async function killedAt(nth: number, act: () => Promise<unknown>): Promise<"killed" | "done"> {
  let passed = 0;
  onFailpoint((name) => {
    // What follows a command of git is called by nobody who could catch what is thrown.
    if (/^git\..*\.after$/u.test(name)) return;
    passed += 1;
    if (passed >= nth) throw new Error("killed");
  });
  try {
    await act();
    return "done";
  } catch (error) {
    expect(error).toEqual(new Error("killed"));
    return "killed";
  } finally {
    onFailpoint(undefined);
  }
}

/** Like the kernel, it frees the lock of a process that died. */
const FREE: ObjectStore["locks"] = {
  takeLease: () => {
    const release = () => Promise.resolve();
    const lost = new Promise<void>(() => undefined);
    const keep = () => Promise.resolve(ok(undefined));
    return Promise.resolve(
      ok({ lost, wasAbandoned: false, keep, release, [Symbol.asyncDispose]: release }),
    );
  },
};

test.each(["fills", "updates"])(
  "a process that dies at any point while it %s the store does no harm",
  async (what) => {
    let points = 0;
    for (let nth = 1, end = "killed"; end === "killed"; nth += 1) {
      using at = storeRig();
      const { rig, context, store } = at;
      if (what === "updates") {
        await at.clone("builder");
        rig.git(["commit", "--quiet", "--allow-empty", "-m", "later"]);
        rig.git(["branch", "-f", BRANCH]);
      }
      const head = present(await rig.hub.head(BRANCH), "a branch");
      const dying = { ...store, locks: FREE };
      end = await killedAt(nth, () =>
        borrowObjects(context, dying, { hub: rig.hub.directory, commit: head }),
      );
      points = nth;
      const clone = await at.clone("tester");
      expect(ownObjects(clone)).toEqual([]);
      expect(read(alternatesOf(clone))).toBe(`${shared(store)}\n`);
      rig.git(["fsck", "--strict", "--no-progress"], clone.directory);
      const beside = readdirSync(join(rig.root, "state")).filter((name) => name.startsWith("."));
      expect(beside.filter((name) => !name.includes(".lock"))).toEqual([".objects"]);
    }
    expect(points).toBeGreaterThan(5);
  },
);

test("a store goes when no clone needs it, and stays for one that is being made", async () => {
  using at = storeRig();
  const { context, store } = at;
  await at.clone("builder");
  value(await removeUnused(context, store, () => true));
  expect(existsSync(store.directory)).toBe(true);
  // The clone appears after the first looks, when the store has been moved aside.
  const { ino } = statSync(store.directory);
  value(await removeUnused(context, store, () => !existsSync(store.directory)));
  expect(statSync(store.directory).ino).toBe(ino);
  await expectWorking(at.rig, await at.clone("tester"), "a.txt");
  value(await removeUnused(context, store, () => false));
  expect(existsSync(store.directory)).toBe(false);
  expect(existsSync(`${store.directory}.replaced`)).toBe(false);
});
