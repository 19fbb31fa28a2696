import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { LFS_SESSION_BYTES_MAX } from "../../../src/git/lfs/lfs-limits.ts";
import { onFailpoint } from "../../../src/base/ports/failpoint.ts";
import type { Clone, PublishFailure } from "../../../src/base/ports/repo.ts";
import type { Result } from "../../../src/base/result.ts";
import { BRANCH, commit, read, value, write } from "../rig.ts";
import { commitLfs, contentIn, createLfsRig, HAS_LFS, pointerTo, stored } from "./lfs-rig.ts";

const NEW = "a new content\n";
const lfsOf = ({ directory }: Clone) => join(directory, ".git", "lfs");

afterEach(() => onFailpoint(undefined));

function reasonOf(published: Result<void, PublishFailure>): string {
  if (published.ok || published.failure.kind !== "content") return JSON.stringify(published);
  return published.failure.reason;
}

describe.skipIf(!HAS_LFS)("publishing files under Git LFS (needs git-lfs)", () => {
  test("content goes to the person's store before the branch moves, and the file comes out there", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const at = await commitLfs(rig, clone, { "new.bin": NEW });
    const file = pointerTo(NEW);
    expect(rig.git(["show", `${at}:new.bin`], clone.directory)).toBe(file.pointer);
    expect(stored(rig.store, file)).toBeUndefined();
    value(await clone.publish(at));
    expect(stored(rig.store, file)).toBe(NEW);
    rmSync(clone.directory, { recursive: true });
    rig.git(["worktree", "add", "--quiet", join(rig.root, "seen"), BRANCH]);
    expect(read(join(rig.root, "seen", "new.bin"))).toBe(NEW);
    // A copy, with the rights of the person's other contents.
    const theirs = lstatSync(contentIn(rig.store, pointerTo("what was there before\n").sha256));
    const own = lstatSync(contentIn(rig.store, file.sha256));
    expect([own.nlink, own.mode & 0o444]).toEqual([1, theirs.mode & 0o444]);
    expect(() => {
      execFileSync("git", ["lfs", "fsck", "--objects", BRANCH], {
        cwd: rig.hub.directory,
        env: { ...rig.context.environment },
      });
    }).not.toThrow();
  });

  test("what an earlier commit of the turn brought and a later one removed is kept, too", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    await commitLfs(rig, clone, { "new.bin": NEW });
    rig.git(["rm", "--quiet", "new.bin"], clone.directory);
    rig.git(["commit", "--quiet", "-m", "remove it"], clone.directory);
    value(await clone.publish(value(await clone.head())));
    expect(stored(rig.store, pointerTo(NEW))).toBe(NEW);
  });

  test("many files, packed and merged, are found as well", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const names = Array.from({ length: 150 }, (_, number) => `${String(number)}.bin`);
    await commitLfs(rig, clone, Object.fromEntries(names.map((name) => [name, `of ${name}`])));
    rig.git(["checkout", "--quiet", "-b", "beside", "HEAD^"], clone.directory);
    await commitLfs(rig, clone, { "beside.bin": NEW });
    rig.git(["checkout", "--quiet", BRANCH], clone.directory);
    rig.git(["merge", "--quiet", "--no-edit", "beside"], clone.directory);
    rig.git(["repack", "-adq"], clone.directory);
    value(await clone.publish(value(await clone.head())));
    for (const name of names) {
      expect(stored(rig.store, pointerTo(`of ${name}`))).toBe(`of ${name}`);
    }
    expect(stored(rig.store, pointerTo(NEW))).toBe(NEW);
  });

  test("content goes where lfs.storage says, and to the repository of a linked work tree", async () => {
    using rig = createLfsRig();
    rig.git(["config", "lfs.storage", "elsewhere/large"]);
    const clone = await rig.clone("builder");
    value(await clone.publish(await commitLfs(rig, clone, { "new.bin": NEW })));
    expect(stored(join(rig.hub.directory, ".git", "elsewhere", "large"), pointerTo(NEW))).toBe(NEW);
    rig.git(["config", "lfs.storage", join(rig.root, "apart")]);
    value(await clone.publish(await commitLfs(rig, clone, { "newer.bin": "newer" })));
    expect(stored(join(rig.root, "apart"), pointerTo("newer"))).toBe("newer");
  });

  test("a pointer to nothing is refused, names its file, and leaves the branch", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const before = await rig.hub.head(BRANCH);
    write(join(clone.directory, "lost.bin"), pointerTo("nobody has this").pointer);
    rig.git(["add", "lost.bin"], clone.directory);
    rig.git(["commit", "--quiet", "-m", "lost"], clone.directory);
    const published = await clone.publish(value(await clone.head()));
    expect(reasonOf(published)).toMatch(/^lost\.bin: the commits have a pointer of Git LFS/);
    expect(await rig.hub.head(BRANCH)).toBe(before);
    // It stays refused once wisp has saved the attempt in the person's repository.
    const head = value(await clone.head());
    value(await clone.rescueAndReset());
    value(await clone.syncTo(head));
    expect(reasonOf(await clone.publish(head))).toMatch(/^lost\.bin: /);
    expect(await rig.hub.head(BRANCH)).toBe(before);
  });

  test("what is saved of an attempt has its content, too", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    await commitLfs(rig, clone, { "new.bin": NEW });
    const { rescue } = value(await clone.rescueAndReset());
    expect(rescue).toMatch(/^refs\/wisp\/rescue\//);
    expect(stored(rig.store, pointerTo(NEW))).toBe(NEW);
  });

  test("content that was just committed is no change, and content that was left is committed as a pointer", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const at = await commitLfs(rig, clone, { "new.bin": NEW });
    // An index that is as old as the file says nothing of it, so git reads the file.
    rig.git(["read-tree", "HEAD"], clone.directory);
    expect(value(await clone.isDirty())).toBe(false);
    expect(value(await clone.commitAll("nothing"))).toBeUndefined();
    const left = await commit(clone, "left.bin", "left behind");
    expect(rig.git(["show", `${left}:left.bin`], clone.directory)).toBe(
      pointerTo("left behind").pointer,
    );
    value(await clone.publish(left));
    expect(value(await clone.commitsSince(at))).toEqual([left]);
    expect(stored(rig.store, pointerTo("left behind"))).toBe("left behind");
  });

  test("the text of a pointer that is under no filter is a text", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const at = await commit(clone, "sample.txt", pointerTo("a sample of a test").pointer);
    value(await clone.publish(at));
    expect(await rig.hub.head(BRANCH)).toBe(at);
  });

  test("pointers of the person are no loss, although their content is not fetched here", async () => {
    using rig = createLfsRig();
    rig.git(["checkout", "--quiet", "-b", "theirs"]);
    write(join(rig.hub.directory, "theirs.bin"), pointerTo("at the remote only").pointer);
    rig.git(["add", "--all"]);
    rig.git(["commit", "--quiet", "-m", "theirs"]);
    rig.git(["rm", "--quiet", "theirs.bin"]);
    rig.git(["commit", "--quiet", "-m", "gone"]);
    rig.git(["checkout", "--quiet", "main"]);
    rmSync(rig.store, { recursive: true });
    const clone = await rig.clone("builder");
    // The same pointer again, as after a revert; another one that is moved; and a merge of their branch.
    write(join(clone.directory, "again.bin"), pointerTo("at the remote only").pointer);
    renameSync(join(clone.directory, "old.bin"), join(clone.directory, "moved.bin"));
    rig.git(["add", "--all"], clone.directory);
    rig.git(["commit", "--quiet", "-m", "again"], clone.directory);
    const again = value(await clone.head());
    value(await clone.publish(again));
    rig.git(["fetch", "--quiet", rig.hub.directory, "theirs"], clone.directory);
    rig.git(["merge", "--quiet", "--no-edit", "FETCH_HEAD"], clone.directory);
    const merged = value(await clone.head());
    value(await clone.publish(merged));
    expect(await rig.hub.head(BRANCH)).toBe(merged);
  });

  test.each<readonly [string, (path: string, clone: Clone) => void]>([
    ["a link", linked],
    ["a link of its folder", linkedFolder],
    ["a link of the whole store", linkedStore],
    ["a pipe", piped],
    [
      "other bytes of the same number",
      (path) => {
        chmodSync(path, 0o644);
        writeFileSync(path, NEW.toUpperCase());
      },
    ],
    [
      "fewer bytes",
      (path) => {
        chmodSync(path, 0o644);
        truncateSync(path, 3);
      },
    ],
  ])("%s in the clone's store counts as nothing", async (_, plant) => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const at = await commitLfs(rig, clone, { "new.bin": NEW });
    plant(contentIn(lfsOf(clone), pointerTo(NEW).sha256), clone);
    expect(reasonOf(await clone.publish(at))).toMatch(/^new\.bin: /);
    expect(stored(rig.store, pointerTo(NEW))).toBeUndefined();
    const folder = dirname(contentIn(rig.store, pointerTo(NEW).sha256));
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });

  test("a session brings no more than its limit, also after its processes were started again", async () => {
    using rig = createLfsRig();
    const tester = await rig.clone("tester");
    value(await tester.publish(await commitLfs(rig, tester, { "test.bin": "a test" })));
    const counted = `${tester.directory}.lfs`;
    expect(read(counted)).toBe(`${pointerTo("a test").sha256} 6\n`);
    appendFileSync(counted, `${"0".repeat(64)} ${String(LFS_SESSION_BYTES_MAX - 10)}\n`);
    const clone = await rig.clone("builder");
    value(await clone.syncTo());
    value(await clone.publish(await commitLfs(rig, clone, { "fits.bin": "four" })));
    const at = await commitLfs(rig, clone, { "over.bin": "x" });
    const reason = reasonOf(await clone.publish(at));
    expect(reason).toMatch(/^over\.bin: with this, the session would bring more than 5\.0 GiB/);
    expect(stored(rig.store, pointerTo("x"))).toBeUndefined();
    // What is counted once stays counted once.
    rmSync(contentIn(rig.store, pointerTo("four").sha256));
    value(await clone.syncTo());
    value(await clone.publish(await commitLfs(rig, clone, { "same.bin": "four" })));
  });

  test("a file that is larger than the limit is refused before it is read", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const bytes = LFS_SESSION_BYTES_MAX + 1;
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize ${String(bytes)}\n`;
    write(join(clone.directory, "huge.bin"), pointer);
    rig.git(["add", "huge.bin"], clone.directory);
    rig.git(["commit", "--quiet", "-m", "huge"], clone.directory);
    const path = contentIn(lfsOf(clone), "a".repeat(64));
    write(path, "");
    truncateSync(path, bytes);
    // Read, it would prove to have another digest.
    const reason = reasonOf(await clone.publish(value(await clone.head())));
    expect(reason).toMatch(/^huge\.bin: with this/);
  });

  test("a commit without such files starts no process more than without them", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const counts: number[] = [];
    for (const name of ["plain.txt", "again.txt"]) {
      const at = await commit(clone, name);
      let started = 0;
      onFailpoint((point) => {
        if (point.endsWith(".started")) started += 1;
      });
      value(await clone.publish(at));
      onFailpoint(undefined);
      counts.push(started);
    }
    expect(counts).toEqual([2, 2]);
  });
});

function linked(path: string): void {
  const aside = `${path}.aside`;
  renameSync(path, aside);
  symlinkSync(aside, path);
}

function linkedFolder(path: string): void {
  const folder = dirname(path);
  renameSync(folder, `${folder}.aside`);
  symlinkSync(`${folder}.aside`, folder);
}

function linkedStore(_: string, clone: Clone): void {
  const store = lfsOf(clone);
  renameSync(store, `${store}.aside`);
  symlinkSync(`${store}.aside`, store);
}

function piped(path: string): void {
  rmSync(path);
  mkdirSync(dirname(path), { recursive: true });
  execFileSync("mkfifo", [path]);
}
