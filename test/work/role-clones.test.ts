import { expect, test } from "vitest";
import { roleClones } from "../../src/work/role-clones.ts";
import { ok } from "../../src/base/result.ts";
import { fakeClone } from "../agents/fake-clone.ts";

/** Clones that are all removed when they may rest. */
function clonesOnDisk() {
  const there = new Set<string>();
  const made: string[] = [];
  const clones = roleClones({
    first: "/clone",
    opensEarly: () => true,
    directories: {
      kindOf: (path) => (there.has(path.split("/.git")[0] ?? "") ? "directory" : undefined),
    },
    make: (directory) => {
      made.push(directory);
      there.add(directory);
      const rest = async () => {
        // It looks at the clone before it removes it.
        for (let step = 0; step < 9; step++) await Promise.resolve();
        return ok(there.delete(directory));
      };
      return Promise.resolve(fakeClone(directory, { rest }));
    },
  });
  return { clones, made, there };
}

test("a clone that was removed while the role waited is created again at its path, once", async () => {
  const { clones, made } = clonesOnDisk();
  await clones.open();
  await clones.open(1);
  await clones.waiting.rest();
  await clones.waiting.rest();
  await Promise.all([clones.open(), clones.open()]);
  expect(made).toEqual(["/clone", "/clone-1", "/clone"]);
});

test("a clone that is needed while it is being removed is waited for, and is there", async () => {
  const { clones, there } = clonesOnDisk();
  await clones.open();
  const resting = clones.waiting.rest();
  const { directory } = await clones.open();
  await resting;
  expect(there).toContain(directory);
});
