import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WispRig } from "./wisp-rig.ts";

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** No author in the environment, and none in the (empty) HOME. */
const NO_IDENTITY = {
  GIT_AUTHOR_NAME: "",
  GIT_AUTHOR_EMAIL: "",
  GIT_COMMITTER_NAME: "",
  GIT_COMMITTER_EMAIL: "",
};

test("the demo runs to its end with an empty HOME and no git author", async () => {
  const directory = join(rig.root, "demo");
  const { code, stdout, stderr } = await rig.run(["demo", "--dir", directory], {
    cwd: rig.root,
    env: NO_IDENTITY,
  });
  expect(stderr).toContain(`The demo is in ${directory}`);
  for (const said of [
    '"Read several parts" is not finished yet: 2 tasks done, 2 commits; continues with it at once',
    "1 finding: COR-",
    "1 bug: BUG-",
    "durations-of-several-parts is complete.",
    "findings    1 fixed\n",
    "bugs        1 fixed\n",
    "notes       1 finding too minor to be fixed",
    "The project's tests pass on the branch: 11 of 11.",
  ]) {
    expect(stdout).toContain(said);
  }
  expect(code).toBe(0);
  const project = join(directory, "project");
  const milestones = await readFile(join(project, ".wisp/current/logs/milestones.log"), "utf8");
  expect(milestones.replace(/[0-9a-f]{40}/g, "sha")).toBe(
    "Read several parts|sha|sha\nWrite and sum|sha|sha\n",
  );
  const progress = await readFile(join(project, ".wisp/current/PROGRESS.txt"), "utf8");
  const reviews = [...progress.matchAll(/^\[Review\] .* UTC - (\S+) /gm)].map(([, who]) => who);
  for (const reviewer of ["correctness", "security", "tests", "simplicity", "performance", "docs"])
    expect(reviews.filter((who) => who === reviewer).length).toBeGreaterThanOrEqual(2);
  expect(await rig.git(project, "status", "--porcelain")).toBe("");
  expect(await rig.git(project, "log", "--format=%an", "-1", "--all")).toBe("Wisp Demo");
});

test("refuses a directory that is not empty, and leaves it unchanged", async () => {
  const { code, stderr } = await rig.run(["demo", "--dir", rig.root], { cwd: rig.root });
  expect(stderr).toContain("already exists and is not empty");
  expect(code).toBe(2);
});
