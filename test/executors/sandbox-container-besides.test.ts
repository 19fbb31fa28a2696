import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_LFS, pointerTo, stored } from "../git/lfs/lfs-rig.ts";
import { addBesides, NEEDS_BESIDES, NEEDS_BESIDES_CONFIG } from "../process/needs-besides.ts";
import { NO_PODMAN, openPodman, type Podman } from "./podman.ts";
import { sessionInContainers } from "./session-in-containers.ts";

/*
 * What tests need besides commits, the files of submodules and the content of files under Git LFS, is put into clones
 * and verify trees by wisp, outside of the containers, whose image has no git-lfs.
 */

const WHY = NO_PODMAN === undefined ? "" : ` (${NO_PODMAN})`;
const PLAN = String.raw`plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),`;

/** Writes what it sees in its clone, and leaves a file uncommitted that its git cannot add. */
const LOOKS = String.raw`
  ${PLAN}
  build(t) {
    const fs = process.getBuiltinModule("node:fs");
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    const status = execFileSync("git", ["status", "--porcelain"], { encoding: "utf8" });
    const read = (path) => fs.readFileSync(path, "utf8").slice(0, 11).trim();
    const seen = ["old.bin", "libs/one/a.txt", "libs/one/two/b.txt"].map(read);
    t.put("new.bin", "new content");
    let added = "added";
    try { t.git("add", "new.bin"); } catch { added = "not added"; }
    t.put("seen.txt", [...seen, added, "status: " + JSON.stringify(status)].join("\n") + "\n");
    t.git("add", "seen.txt");
    t.git("commit", "-qm", "Say hello");
    t.tick();
  },
`;

describe.skipIf(NO_PODMAN !== undefined || !HAS_LFS)(`in containers, needs git-lfs${WHY}`, () => {
  let podman: Podman;
  beforeAll(async () => {
    podman = await openPodman();
  });
  afterAll(() => podman.close());

  test("turns and tests find submodules and content under Git LFS, and none of it is a change", async () => {
    await using session = sessionInContainers(podman, {
      ...{ scenario: LOOKS, config: NEEDS_BESIDES_CONFIG, files: NEEDS_BESIDES },
    });
    addBesides(session);
    const started = await session.wisp("start", "request.md", "--yes");
    expect(started).toMatchObject({ code: 0 });
    const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
    expect(session.git("show", `${branch}:seen.txt`).split("\n")).toEqual([
      ...["old samples", "of one", "of two", "not added", 'status: ""'],
    ]);
    expect(session.git("diff", "--name-only", "main", branch).split("\n")).toEqual([
      "new.bin",
      "seen.txt",
    ]);
    const content = pointerTo("new content");
    expect(session.git("show", `${branch}:new.bin`)).toBe(content.pointer.trim());
    expect(stored(join(session.repository, ".git", "lfs"), content)).toBe("new content");
    expect(session.git("status", "--porcelain")).toBe("");
  });
});
