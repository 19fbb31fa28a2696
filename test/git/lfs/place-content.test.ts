import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { onFailpoint } from "../../../src/base/ports/failpoint.ts";
import type { Clone } from "../../../src/base/ports/repo.ts";
import { LFS_PLACED_BYTES_MAX } from "../../../src/git/lfs/lfs-limits.ts";
import { BRANCH, commit, read, value, write } from "../rig.ts";
import {
  commitLfs,
  contentIn,
  countLfs,
  createLfsRig,
  HAS_LFS,
  openRigTree,
  pointerTo,
  replaceLfs,
  stored,
  type LfsRig,
} from "./lfs-rig.ts";

afterEach(() => onFailpoint(undefined));

const OLD = "what was there before\n";
const NEW = "a new content\n";
const NEWER = "an even newer content\n";

const lfsOf = ({ directory }: Clone) => join(directory, ".git", "lfs");
const fileOf = ({ directory }: { readonly directory: string }, name = "old.bin") =>
  read(join(directory, name));

/** What git says is changed, if it may not read the content of a file: the index alone tells. */
function changedBySize(rig: LfsRig, { directory }: { readonly directory: string }): string {
  const off = ["-c", "filter.lfs.process=", "-c", "filter.lfs.clean=false"];
  return rig.git([...off, "-c", "filter.lfs.required=false", "status", "--porcelain"], directory);
}

/** Publishes another content of a file, as another role does. */
async function publishAs(rig: LfsRig, name: string, files: Readonly<Record<string, string>>) {
  const clone = await rig.clone(name);
  value(await clone.syncTo());
  const at = await commitLfs(rig, clone, files);
  value(await clone.publish(at));
  return at;
}

describe.skipIf(!HAS_LFS)("the content of files under Git LFS (needs git-lfs)", () => {
  test("a new clone has it, as copies, and git finds nothing changed, without reading it", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    expect(fileOf(clone)).toBe(OLD);
    expect(changedBySize(rig, clone)).toBe("");
    expect(value(await clone.isDirty())).toBe(false);
    expect(stored(lfsOf(clone), pointerTo(OLD))).toBe(OLD);
    const copies = [rig.store, lfsOf(clone)].map((lfs) => contentIn(lfs, pointerTo(OLD).sha256));
    const stats = [...copies, join(clone.directory, "old.bin")].map((path) => lstatSync(path));
    expect(stats.map(({ nlink }) => nlink)).toEqual([1, 1, 1]);
    expect(new Set(stats.map(({ ino }) => ino)).size).toBe(3);
    expect(value(await clone.commitAll("nothing is left"))).toBeUndefined();
  });

  test("a new clone, and one that goes to another commit, does not run git-lfs for each of its files", async () => {
    using rig = createLfsRig();
    const names = Array.from({ length: 40 }, (_, at) => `many/${String(at)}.bin`);
    const filled = (text: string) => Object.fromEntries(names.map((name) => [name, text + name]));
    const first = await rig.clone("writer");
    value(await first.publish(await commitLfs(rig, first, filled("one "))));
    const runs = countLfs(rig);
    const clone = await rig.clone("builder");
    expect(runs()).toEqual([]);
    expect(fileOf(clone, "many/39.bin")).toBe("one many/39.bin");
    value(await first.publish(await commitLfs(rig, first, filled("two "))));
    runs();
    value(await clone.syncTo());
    expect(runs()).toEqual([]);
    expect(fileOf(clone, "many/39.bin")).toBe("two many/39.bin");
    expect(value(await clone.isDirty())).toBe(false);
    expect(runs()).toEqual([]);
  });

  test("a change in the same second, of the same length, is seen", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    write(join(clone.directory, "old.bin"), OLD.replace("before", "BEFORE"));
    expect(value(await clone.isDirty())).toBe(true);
    value(await clone.clean());
    expect(fileOf(clone)).toBe(OLD);
  });

  test("every way to another commit brings its content, and takes the other's away", async () => {
    using rig = createLfsRig();
    const base = value(await (await rig.clone("builder")).head());
    const at = await publishAs(rig, "builder", { "old.bin": NEW, "more/new.bin": NEWER });
    const other = await rig.clone("reviewer");
    expect([fileOf(other), fileOf(other, "more/new.bin")]).toEqual([NEW, NEWER]);
    value(await other.syncTo(base));
    expect([fileOf(other), existsSync(join(other.directory, "more"))]).toEqual([OLD, false]);
    value(await other.rescueAndReset(at));
    expect([fileOf(other), fileOf(other, "more/new.bin")]).toEqual([NEW, NEWER]);
    value(await other.overlayFiles(base, ["old.bin"]));
    expect(fileOf(other)).toBe(OLD);
    value(await other.clean());
    expect(fileOf(other)).toBe(NEW);
    rmSync(join(other.directory, "old.bin"));
    write(join(other.directory, ".git", "HEAD"), "broken\n");
    value(await other.repair());
    expect(fileOf(other)).toBe(NEW);
    expect(changedBySize(rig, other)).toBe("");
  });

  test("a rebase and a merge bring it", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("tester");
    await commit(clone, "test.txt");
    await publishAs(rig, "builder", { "old.bin": NEW });
    expect(value(await clone.rebaseOntoHub())).toMatchObject({ moved: true });
    expect(fileOf(clone)).toBe(NEW);
    expect(value(await clone.isDirty())).toBe(false);
    expect(changedBySize(rig, clone)).toBe("");
    const remote = join(rig.root, "theirs");
    rig.git(["worktree", "add", "--quiet", "-b", "theirs", remote, `${BRANCH}~1`]);
    writeFileSync(join(remote, "beside.bin"), NEWER);
    rig.git(["add", "--all"], remote);
    rig.git(["commit", "--quiet", "-m", "beside"], remote);
    const tip = rig.git(["rev-parse", "theirs"]).trim();
    rig.git(["update-ref", "refs/wisp/remote/first/tip", tip]);
    value(await clone.joinRemote(tip, "Join"));
    expect([fileOf(clone), fileOf(clone, "beside.bin")]).toEqual([NEW, NEWER]);
  });

  test("what an engine does with its own git works: another commit, a stash, a revert", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const { directory } = clone;
    const at = await commitLfs(rig, clone, { "old.bin": NEW });
    rig.git(["checkout", "--quiet", "HEAD~1"], directory);
    expect(fileOf(clone)).toBe(OLD);
    rig.git(["checkout", "--quiet", BRANCH], directory);
    expect(fileOf(clone)).toBe(NEW);
    writeFileSync(join(directory, "old.bin"), NEWER);
    rig.git(["stash"], directory);
    expect(fileOf(clone)).toBe(NEW);
    rig.git(["stash", "pop"], directory);
    expect(fileOf(clone)).toBe(NEWER);
    rig.git(["checkout", "--quiet", "--", "old.bin"], directory);
    value(await clone.publish(at));
    rig.git(["revert", "--no-edit", "HEAD"], directory);
    expect(fileOf(clone)).toBe(OLD);
    value(await clone.publish(value(await clone.head())));
    const other = await rig.clone("reviewer");
    expect(fileOf(other)).toBe(OLD);
  });

  test("a clone of an earlier program gets it when it is opened, and keeps what was changed", async () => {
    using rig = createLfsRig();
    write(join(rig.hub.directory, "kept.bin"), "kept\n");
    rig.git(["add", "--all"]);
    rig.git(["commit", "--quiet", "-m", "kept"]);
    rig.git(["branch", "-f", BRANCH]);
    const before = await rig.clone("builder");
    const { directory } = before;
    for (const name of ["old.bin", "kept.bin"]) rmSync(join(directory, name));
    rig.git([...NO_LFS, "checkout", "--quiet", "--", "old.bin", "kept.bin"], directory);
    rmSync(lfsOf(before), { recursive: true });
    rmSync(`${directory}.contents`);
    write(join(directory, "kept.bin"), NEW);
    write(join(directory, "left.txt"), "left\n");
    expect(fileOf(before)).toBe(pointerTo(OLD).pointer);
    const clone = await rig.clone("builder");
    expect([fileOf(clone), fileOf(clone, "kept.bin")]).toEqual([OLD, NEW]);
    expect(rig.git(["status", "--porcelain"], directory)).toBe(" M kept.bin\n?? left.txt\n");
  });

  test("whenever wisp is killed while it brings content, nothing counts as changed, and the content comes next time", async () => {
    using rig = createLfsRig();
    const { directory } = await rig.clone("reviewer");
    let points = Infinity;
    for (let kill = 0; kill < points; kill++) {
      rmSync(join(directory, "old.bin"));
      rig.git([...NO_LFS, "checkout", "--quiet", "--", "old.bin"], directory);
      rmSync(`${directory}.contents`, { force: true });
      rmSync(join(directory, ".git", "lfs"), { recursive: true, force: true });
      let seen = 0;
      onFailpoint((name) => {
        // Between two effects of wisp's own; git that was started goes on.
        if (!name.startsWith("git.") && seen++ === kill) throw new Error("killed");
      });
      const opened = await rig.clone("reviewer").then(
        () => true,
        () => false,
      );
      onFailpoint(undefined);
      if (opened) points = seen;
      const clone = await rig.clone("reviewer");
      expect({ kill, ...value(await clone.repair()) }).toEqual({ kill, rescue: undefined });
      value(await clone.syncTo());
      expect([kill, fileOf(clone)]).toEqual([kill, OLD]);
      expect(rig.git(["status", "--porcelain"], directory)).toBe("");
    }
    expect(points).toBeGreaterThan(10);
  });

  test("a clone that rests has it again when it is made again", async () => {
    using rig = createLfsRig();
    const large = "x".repeat(33 * 1024 * 1024);
    write(join(rig.hub.directory, "large.bin"), large);
    rig.git(["add", "--all"]);
    rig.git(["commit", "--quiet", "-m", "large"]);
    rig.git(["branch", "-f", BRANCH]);
    const clone = await rig.sharing("builder");
    expect(fileOf(clone, "large.bin")).toBe(large);
    expect(value(await clone.rest())).toBe(true);
    expect(existsSync(`${clone.directory}.contents`)).toBe(false);
    const again = await rig.sharing("builder");
    expect([fileOf(again), fileOf(again, "large.bin")]).toEqual([OLD, large]);
  });

  test("what the person's repository lacks stays a pointer, and the rest is there", async () => {
    using rig = createLfsRig();
    await publishAs(rig, "builder", { "new.bin": NEW });
    rmSync(contentIn(rig.store, pointerTo(OLD).sha256));
    const clone = await rig.clone("reviewer");
    expect([fileOf(clone), fileOf(clone, "new.bin")]).toEqual([pointerTo(OLD).pointer, NEW]);
    expect(value(await clone.isDirty())).toBe(false);
    // Somebody fetched it.
    rig.git(["lfs", "install", "--local"]);
    write(contentIn(rig.store, pointerTo(OLD).sha256), OLD);
    expect(fileOf(await rig.clone("reviewer"))).toBe(OLD);
  });

  test("a person without git-lfs has pointers, as before", async () => {
    using rig = createLfsRig();
    rig.git(["lfs", "uninstall", "--skip-repo"], rig.root);
    const clone = await rig.clone("builder");
    expect(fileOf(clone)).toBe(pointerTo(OLD).pointer);
    expect(existsSync(`${clone.directory}.contents`)).toBe(false);
  });

  test("settings that name a git-lfs which is not there give pointers", async () => {
    using rig = createLfsRig();
    replaceLfs(rig, "exit 1");
    expect(fileOf(await rig.clone("builder"))).toBe(pointerTo(OLD).pointer);
  });

  test("only what git-lfs would store is replaced: other forms of a pointer, and texts, stay", async () => {
    using rig = createLfsRig();
    const { pointer } = pointerTo(OLD);
    const odd = pointer.replace("git-lfs.github.com/spec/v1", "hawser.github.com/spec/v1");
    const { directory } = rig.hub;
    write(join(directory, "sample.txt"), pointer);
    for (const [name, text] of Object.entries({ "odd.bin": odd, "same.bin": pointer })) {
      write(join(directory, name), text);
    }
    rig.git([...NO_LFS, "add", "--all"]);
    rig.git(["commit", "--quiet", "-m", "samples"]);
    rig.git(["branch", "-f", BRANCH]);
    const clone = await rig.clone("builder");
    expect(fileOf(clone, "sample.txt")).toBe(pointer);
    expect(fileOf(clone, "odd.bin")).toBe(odd);
    expect(fileOf(clone, "same.bin")).toBe(OLD);
    expect(value(await clone.isDirty())).toBe(false);
  });

  test("rights are those of the commit", async () => {
    using rig = createLfsRig();
    write(join(rig.hub.directory, "run.bin"), NEW);
    chmodSync(join(rig.hub.directory, "run.bin"), 0o755);
    rig.git(["add", "--all"]);
    rig.git(["commit", "--quiet", "-m", "run"]);
    rig.git(["branch", "-f", BRANCH]);
    const clone = await rig.clone("builder");
    const modes = ["run.bin", "old.bin"].map((name) => lstatSync(join(clone.directory, name)).mode);
    expect(modes.map((mode) => mode & 0o100)).toEqual([0o100, 0]);
    expect(fileOf(clone, "run.bin")).toBe(NEW);
    expect(changedBySize(rig, clone)).toBe("");
  });

  test("at most 5 GiB, in the order of paths", async () => {
    using rig = createLfsRig();
    const most = { sha256: "a".repeat(64), sizeBytes: LFS_PLACED_BYTES_MAX - 1 };
    const text = pointerTo("").pointer.replace(/[0-9a-f]{64}/u, most.sha256);
    write(join(rig.hub.directory, "most.bin"), text.replace("size 0", `size ${most.sizeBytes}`));
    rig.git([...NO_LFS, "add", "most.bin"]);
    rig.git(["commit", "--quiet", "-m", "most"]);
    rig.git(["branch", "-f", BRANCH]);
    write(contentIn(rig.store, most.sha256), "");
    truncateSync(contentIn(rig.store, most.sha256), LFS_PLACED_BYTES_MAX);
    await publishAs(rig, "builder", { "zoo.bin": NEW, "ant.bin": NEWER });
    truncateSync(contentIn(rig.store, most.sha256), LFS_PLACED_BYTES_MAX - 1);
    const clone = await rig.clone("reviewer");
    expect(fileOf(clone, "ant.bin")).toBe(NEWER);
    expect(fileOf(clone, "most.bin")).toContain(most.sha256);
    // The limit was reached before them.
    expect(fileOf(clone)).toBe(pointerTo(OLD).pointer);
    expect(fileOf(clone, "zoo.bin")).toBe(pointerTo(NEW).pointer);
  });

  test("ids of SHA-256, and an index that only git reads", async () => {
    using rig = createLfsRig({ format: "sha256" });
    const clone = await rig.clone("builder");
    expect(fileOf(clone)).toBe(OLD);
    expect(changedBySize(rig, clone)).toBe("");
    using plain = createLfsRig();
    const at = await publishAs(plain, "builder", { "old.bin": NEW });
    const other = await plain.clone("reviewer");
    plain.git(["update-index", "--index-version", "4"], other.directory);
    value(await other.syncTo(plain.git(["rev-parse", `${at}~1`]).trim()));
    expect(fileOf(other)).toBe(OLD);
    expect(changedBySize(plain, other)).toBe("");
  });
});

describe.skipIf(!HAS_LFS)("the content in a verify tree (needs git-lfs)", () => {
  test("is there, also at a commit that is not published, and goes with its commit", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const base = value(await clone.head());
    const tree = await openRigTree(rig);
    value(await tree.checkOut(base, clone));
    expect(fileOf(tree)).toBe(OLD);
    const at = await commitLfs(rig, clone, { "old.bin": NEW });
    value(await tree.checkOut(at, clone));
    expect(fileOf(tree)).toBe(NEW);
    expect(value(await tree.contentHash(at))).toBe(value(await clone.treeOf(at)));
    value(await (await openRigTree(rig)).checkOut(base, clone));
    expect(fileOf(tree)).toBe(OLD);
    expect(changedBySize(rig, tree)).toBe("");
  });

  test("is compared by the state of the file: git-lfs runs only for one that was changed", async () => {
    using rig = createLfsRig();
    const runs = countLfs(rig);
    const clone = await rig.clone("builder");
    const base = value(await clone.head());
    const tree = value(await clone.treeOf(base));
    const opened = await openRigTree(rig);
    value(await opened.checkOut(base, clone));
    runs();
    for (let use = 0; use < 2; use++) {
      const again = await openRigTree(rig);
      value(await again.checkOut(base, clone));
      expect(value(await again.contentHash(base))).toBe(tree);
    }
    // Where only git can tell, as well.
    write(join(opened.directory, "link.txt"), "");
    rig.git(["repack", "-adq"], opened.directory);
    rig.git(["prune-packed"], opened.directory);
    expect(value(await (await openRigTree(rig)).contentHash(base))).toBe(tree);
    expect(runs()).toEqual([]);
    for (const content of [OLD.replace("before", "BEFORE"), "other\n", pointerTo(NEW).pointer]) {
      write(join(opened.directory, "old.bin"), content);
      expect(value(await (await openRigTree(rig)).contentHash(base))).not.toBe(tree);
      const again = await openRigTree(rig);
      value(await again.checkOut(base, clone));
      expect(fileOf(again)).toBe(OLD);
      expect(value(await again.contentHash(base))).toBe(tree);
    }
    // The right content by somebody else is right.
    write(join(opened.directory, "old.bin"), OLD);
    expect(value(await (await openRigTree(rig)).contentHash(base))).toBe(tree);
  });

  test("an old version of a file has its content, too", async () => {
    using rig = createLfsRig();
    const at = await publishAs(rig, "builder", { "old.bin": NEW });
    const clone = await rig.clone("tester");
    const tree = await openRigTree(rig);
    value(await tree.checkOut(at, clone));
    value(await tree.overlayFiles(rig.git(["rev-parse", `${at}~1`]).trim(), ["old.bin"]));
    expect(fileOf(tree)).toBe(OLD);
    value(await (await openRigTree(rig)).checkOut(at, clone));
    expect(fileOf(tree)).toBe(NEW);
  });

  test("other attributes of other files copy nothing again", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const tree = await openRigTree(rig);
    value(await tree.checkOut(value(await clone.head()), clone));
    const before = lstatSync(join(tree.directory, "old.bin")).ino;
    write(join(clone.directory, "docs", ".gitattributes"), "*.md text\n");
    rig.git(["add", "--all"], clone.directory);
    rig.git(["commit", "--quiet", "-m", "docs"], clone.directory);
    const at = value(await clone.head());
    value(await tree.checkOut(at, clone));
    expect(lstatSync(join(tree.directory, "old.bin")).ino).toBe(before);
    const runs = countLfs(rig);
    expect(value(await tree.contentHash(at))).toBe(value(await clone.treeOf(at)));
    expect([fileOf(tree), runs()]).toEqual([OLD, []]);
  });

  test("a pointer that is a text in another commit is a text there", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const base = value(await clone.head());
    write(join(clone.directory, ".gitattributes"), "*.other filter=lfs\n");
    rig.git([...NO_LFS, "add", ".gitattributes"], clone.directory);
    rig.git(["commit", "--quiet", "-m", "no more"], clone.directory);
    const at = value(await clone.head());
    const tree = await openRigTree(rig);
    for (const [commitAt, content] of [
      [base, OLD],
      [at, pointerTo(OLD).pointer],
      [base, OLD],
    ] as const) {
      value(await tree.checkOut(commitAt, clone));
      expect(fileOf(tree)).toBe(content);
      expect(value(await tree.contentHash(commitAt))).toBe(value(await clone.treeOf(commitAt)));
    }
  });
});

describe.skipIf(!HAS_LFS)("content that an engine planted (needs git-lfs)", () => {
  test("is not taken if it is another one, or if a link leads to it", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const at = await commitLfs(rig, clone, { "old.bin": NEW });
    const own = contentIn(lfsOf(clone), pointerTo(NEW).sha256);
    const tree = await openRigTree(rig);
    rmSync(own);
    writeFileSync(own, NEW.toUpperCase());
    value(await tree.checkOut(at, clone));
    expect(fileOf(tree)).toBe(pointerTo(NEW).pointer);
    const outside = join(rig.root, "outside", "cd");
    mkdirSync(dirname(outside));
    renameSync(dirname(own), outside);
    writeFileSync(join(outside, pointerTo(NEW).sha256), NEW);
    symlinkSync(outside, dirname(own));
    value(await (await openRigTree(rig)).checkOut(at, clone));
    expect(fileOf(tree)).toBe(pointerTo(NEW).pointer);
  });

  test("a folder in the way of a copy is removed, and a folder without rights gets them", async () => {
    using rig = createLfsRig();
    await publishAs(rig, "builder", { "deep/new.bin": NEW });
    const clone = await rig.clone("reviewer");
    const { directory } = clone;
    mkdirSync(join(directory, ".git", "wisp-content", "in-the-way"), { recursive: true });
    rmSync(join(directory, "deep", "new.bin"));
    rig.git([...NO_LFS, "checkout", "--quiet", "--", "deep/new.bin"], directory);
    chmodSync(join(directory, "deep"), 0o555);
    const again = await rig.clone("reviewer");
    expect(fileOf(again, "deep/new.bin")).toBe(NEW);
    chmodSync(join(directory, "deep"), 0o755);
  });

  test("a link in place of a folder is not followed when a file gets its content", async () => {
    using rig = createLfsRig();
    await publishAs(rig, "builder", { "deep/new.bin": NEW });
    const clone = await rig.clone("reviewer");
    const outside = join(rig.root, "outside");
    mkdirSync(outside);
    write(join(outside, "new.bin"), pointerTo(NEW).pointer);
    rmSync(join(clone.directory, "deep"), { recursive: true });
    symlinkSync(outside, join(clone.directory, "deep"));
    rmSync(`${clone.directory}.contents`);
    await rig.clone("reviewer");
    expect(read(join(outside, "new.bin"))).toBe(pointerTo(NEW).pointer);
  });
});

describe.skipIf(!HAS_LFS)("a repository without files under Git LFS (needs git-lfs)", () => {
  test("pays nothing for it: no process of git or git-lfs more", async () => {
    using rig = createLfsRig();
    rig.git(["rm", "--quiet", "old.bin", ".gitattributes"]);
    rig.git(["commit", "--quiet", "-m", "no large files"]);
    rig.git(["branch", "-f", BRANCH]);
    const runs = countLfs(rig);
    const clone = await rig.clone("builder");
    value(await clone.syncTo());
    expect(runs()).toEqual([]);
    expect(existsSync(`${clone.directory}.contents`)).toBe(false);
  });
});

/** git without git-lfs, which commits and checks out texts as they are. */
const NO_LFS = [
  ...["-c", "filter.lfs.process=", "-c", "filter.lfs.clean=", "-c", "filter.lfs.smudge="],
  ...["-c", "filter.lfs.required=false"],
];
