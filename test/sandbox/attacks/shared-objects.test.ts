import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { SandboxRig, workingBubblewrap } from "../../rig/sandboxed.ts";
import { USERS } from "../../rig/users.ts";

const bubblewrap = await workingBubblewrap();
const WHY = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;

/** A sandbox whose clone has a commit, of which all objects are in a store. */
function borrowing() {
  const at = new SandboxRig("path" in bubblewrap ? bubblewrap.path : "");
  const store = join(dirname(at.state), ".objects");
  const objects = join(store, "shared");
  at.plant(join(at.clone, "file"), "borrowed");
  at.git(at.clone, "add", "file");
  at.git(at.clone, "commit", "-qm", "first");
  at.git(at.clone, "repack", "-qad");
  mkdirSync(objects, { recursive: true });
  const own = join(at.clone, ".git", "objects");
  renameSync(join(own, "pack"), join(objects, "pack"));
  writeFileSync(join(own, "info", "alternates"), `${objects}\n`);
  at.plant(join(store, "refs", "wisp", "commit"));
  return { at, store, objects, places: { ...at.places, objects } };
}

/** The content of each file in a folder, by its path there. */
function contents(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [path, readFileSync(path, "latin1")]));
}

describe.each(USERS)("the objects that clones share, as $name", (user) => {
  describe.skipIf(WHY !== "")(`in bubblewrap${WHY}`, () => {
    test("can be read and built upon, while the rest of the store is hidden", async () => {
      const { at: rig, store, places } = borrowing();
      using at = rig;
      const script = [
        "git show HEAD:file; git status --porcelain",
        "echo new > new; git add new; git commit -qm second; git log --format=%s",
        `ls ${store} ${dirname(store)}; cat ${store}/refs/wisp/commit; echo end`,
      ].join("\n");
      const { out } = await at.run(script, { user, places });
      expect(out).toMatch(/^borrowed\nsecond\nfirst\n/u);
      expect(out).toMatch(/\.objects:\nshared\n.*No such file[^\n]*\nend\n$/u);
    });

    test("cannot be changed, moved, replaced or added to, neither by hand nor by git", async () => {
      const { at: rig, store, objects, places } = borrowing();
      using at = rig;
      const before = contents(store);
      const script = [
        `chmod -R u+w ${objects}; rm -rf ${objects}/pack/*; touch ${objects}/pack/new`,
        `for file in ${objects}/pack/*; do echo x >> $file; truncate -s 0 $file; done`,
        `mv ${objects} ${store}/other; mv ${store} ${store}.other; ln -s /tmp ${objects}/aa`,
        `mount -o remount,rw ${objects}; umount ${objects}`,
        "git gc --prune=now; git repack -adf; git prune --expire=now; git maintenance run",
        `GIT_OBJECT_DIRECTORY=${objects} git hash-object -w file; git --git-dir=${store} gc`,
        `ln ${objects}/pack/*.pack linked && echo x >> linked`,
        "echo end",
      ].join("\n");
      const { out } = await at.run(script, { user, places });
      expect(out).toMatch(/end\n$/u);
      expect(contents(store)).toEqual(before);
    });

    test("are not there for a session that has copies of its own", async () => {
      const { at: rig, objects } = borrowing();
      using at = rig;
      const { out } = await at.run(`ls ${objects}; git show HEAD:file; echo end`, { user });
      expect(out).toMatch(/No such file/u);
      expect(out).not.toContain("borrowed");
    });
  });
});
