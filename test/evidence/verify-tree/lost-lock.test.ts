import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put } from "../../rig/in-process-session.ts";
import { eventually } from "../../rig/patience.ts";
import { losableLocks } from "./losable-locks.ts";
import { TreeRig } from "./tree-rig.ts";

/** Records that it runs, and passes once it is allowed to. */
const WAITS = [
  [
    process.execPath,
    "-e",
    `const fs = require("fs"); const state = "../../../";
     fs.writeFileSync(state + "began-" + process.pid, "");
     setInterval(() => { if (fs.existsSync(state + "go")) process.exit(0); }, 20);`,
  ],
];

function began(rig: TreeRig): readonly string[] {
  return readdirSync(rig.rig.session.state).filter((name) => name.startsWith("began-"));
}

function isAlive(name: string): boolean {
  return existsSync(join("/proc", name.replace("began-", "")));
}

test("a command in a tree whose lock was lost is killed and repeated, without a result for the commit", async () => {
  using rig = new TreeRig(undefined, { verify: WAITS });
  const at = await rig.commit({ "a.txt": "a\n" });
  const { locks, lose } = losableLocks();
  const verified = rig.verify(at, rig.role("builder", new AbortController(), locks));
  await eventually(() => expect(began(rig)).toHaveLength(1));
  const [first = ""] = began(rig);
  lose(0);
  await eventually(() => expect(began(rig)).toHaveLength(2));
  expect(isAlive(first)).toBe(false);
  put(rig.rig.session.state, "go", "");
  expect(await verified).toMatchObject({ outcome: "passed" });
});

test("if the lock is lost each time, the commit is not blamed, and no process remains", async () => {
  using rig = new TreeRig(undefined, { verify: WAITS });
  const at = await rig.commit({ "a.txt": "a\n" });
  const { locks, lose } = losableLocks();
  const role = rig.role("builder", new AbortController(), locks);
  const used = role.context.trees.use({ at }, async ({ run }) => {
    const [argv = []] = WAITS;
    const outputPath = join(rig.rig.at.home.turns, "waits.out");
    return run(argv, { outputPath, timeoutMs: 600_000, envNames: [] });
  });
  for (const nth of [0, 1, 2]) {
    await eventually(() => expect(began(rig)).toHaveLength(nth + 1));
    lose(nth);
  }
  expect(await used).toMatchObject({ kind: "unready", stage: "tree" });
  expect(began(rig).filter(isAlive)).toEqual([]);
});
