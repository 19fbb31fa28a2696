import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LFS_PLACED_BYTES_MAX } from "../../../src/git/lfs/lfs-limits.ts";
import { openHub } from "../../../src/git/repository/hub.ts";
import { value, write, type Rig } from "../rig.ts";
import { contentIn, createLfsRig, HAS_LFS, pointerTo, replaceLfs } from "./lfs-rig.ts";

const OLD = "what was there before\n";

/** What is known in advance of the pointers that copies of HEAD have. */
async function stayingIn(rig: Rig) {
  const hub = openHub(rig.context, rig.hub.directory);
  const at = rig.git(["rev-parse", "HEAD"]).trim();
  const { pointers, pointersOver } = value(await hub.project(at, () => false));
  return { pointers, pointersOver };
}

describe.skipIf(!HAS_LFS)("pointers that stay in copies (needs git-lfs)", () => {
  test("are those whose content the repository lacks, and no others", async () => {
    using rig = createLfsRig();
    write(join(rig.hub.directory, "new.bin"), "new\n");
    rig.git(["add", "--all"]);
    rig.git(["commit", "--quiet", "-m", "new"]);
    expect(await stayingIn(rig)).toEqual({ pointers: [], pointersOver: [] });
    rmSync(contentIn(rig.store, pointerTo(OLD).sha256));
    expect(await stayingIn(rig)).toEqual({ pointers: ["old.bin"], pointersOver: [] });
    const clone = await rig.clone("builder");
    expect(value(await clone.isDirty())).toBe(false);
  });

  test("are all where git does not use git-lfs, or it does not run", async () => {
    using rig = createLfsRig();
    replaceLfs(rig, "exit 1");
    expect(await stayingIn(rig)).toEqual({ pointers: ["old.bin"], pointersOver: [] });
    using plain = createLfsRig();
    plain.git(["lfs", "uninstall", "--skip-repo"], plain.root);
    expect(await stayingIn(plain)).toEqual({ pointers: ["old.bin"], pointersOver: [] });
  });

  test("are those beyond the limit, too, which are told apart", async () => {
    using rig = createLfsRig();
    const sha256 = "a".repeat(64);
    const size = LFS_PLACED_BYTES_MAX - 1;
    const text = pointerTo("").pointer.replace(/[0-9a-f]{64}/u, sha256);
    write(join(rig.hub.directory, "most.bin"), text.replace("size 0", `size ${String(size)}`));
    rig.git(["add", "most.bin"]);
    rig.git(["commit", "--quiet", "-m", "most"]);
    write(contentIn(rig.store, sha256), "");
    truncateSync(contentIn(rig.store, sha256), size);
    expect(await stayingIn(rig)).toEqual({ pointers: [], pointersOver: ["old.bin"] });
  });
});
