import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { uploadContent, type ContentPush } from "../../../src/git/lfs/upload-content.ts";
import { BRANCH, commit, value, write, type Rig } from "../rig.ts";
import { commitLfs, contentIn, createLfsRig, HAS_LFS, pointerTo, stored } from "./lfs-rig.ts";

const NEW = "a new content\n";

/** The repository of a remote that keeps content beside it, as git-lfs does for remotes that are folders. */
function addRemote(rig: Rig): string {
  const remote = join(rig.root, "remote.git");
  rig.git(["init", "--quiet", "--bare", remote], rig.root);
  rig.git(["remote", "add", "origin", remote]);
  return remote;
}

function pushOf(rig: Rig, remote = "origin"): ContentPush {
  const [at = "", since = ""] = rig.git(["rev-parse", BRANCH, "main"]).split("\n");
  const { directory } = rig.hub;
  return { directory, remote, branch: BRANCH, at, since, silenceMsMax: 20_000 };
}

/** Publishes a file under Git LFS. */
async function published(rig: Rig): Promise<void> {
  const clone = await rig.clone("builder");
  value(await clone.publish(await commitLfs(rig, clone, { "new.bin": NEW })));
}

describe.skipIf(!HAS_LFS)("uploading files under Git LFS (needs git-lfs)", () => {
  test.each(["origin", "its address"])(
    "the content of new files goes to %s, and nothing else",
    async (named) => {
      using rig = createLfsRig();
      const remote = addRemote(rig);
      await published(rig);
      const push = pushOf(rig, named === "origin" ? named : `file://${remote}`);
      value(await uploadContent(rig.context, push));
      value(await uploadContent(rig.context, push));
      expect(stored(join(remote, "lfs"), pointerTo(NEW))).toBe(NEW);
      expect(stored(join(remote, "lfs"), pointerTo("what was there before\n"))).toBeUndefined();
    },
  );

  test("content that is gone here is named by its file, and nothing is uploaded", async () => {
    using rig = createLfsRig();
    const remote = addRemote(rig);
    await published(rig);
    rmSync(contentIn(rig.store, pointerTo(NEW).sha256));
    const message = "the content of new.bin is not in this repository";
    expect(await uploadContent(rig.context, pushOf(rig))).toEqual({
      ok: false,
      failure: { kind: "content", message },
    });
    expect(stored(join(remote, "lfs"), pointerTo(NEW))).toBeUndefined();
  });

  test("pointers that a merge brought, and whose content others have, need not be here", async () => {
    using rig = createLfsRig();
    addRemote(rig);
    rig.git(["checkout", "--quiet", "-b", "theirs"]);
    write(join(rig.hub.directory, "theirs.bin"), pointerTo("elsewhere").pointer);
    rig.git(["add", "--all"]);
    rig.git(["commit", "--quiet", "-m", "theirs"]);
    rig.git(["branch", "-f", BRANCH]);
    rig.git(["checkout", "--quiet", "main"]);
    expect(await uploadContent(rig.context, pushOf(rig))).toEqual({ ok: true });
  });

  test("a remote that takes no such content is named with what git-lfs says", async () => {
    using rig = createLfsRig();
    rig.git(["remote", "add", "origin", "http://127.0.0.1:9/user:secret/x.git"]);
    await published(rig);
    const uploaded = await uploadContent(rig.context, pushOf(rig));
    expect(uploaded).toMatchObject({ ok: false, failure: { kind: "content" } });
    const text = JSON.stringify(uploaded);
    expect(text).toContain("connection refused");
    expect(text).not.toContain("Uploading LFS objects");
  });

  test("work without such files needs no git-lfs", async () => {
    using rig = createLfsRig();
    rig.git(["remote", "add", "origin", "http://127.0.0.1:9/x.git"]);
    const clone = await rig.clone("builder");
    value(await clone.publish(await commit(clone, "plain.txt")));
    expect(await uploadContent(rig.context, pushOf(rig))).toEqual({ ok: true });
  });
});
