import { expect, test } from "vitest";
import { archiveBranch } from "../../src/git/repository/kept-refs.ts";
import { BRANCH, createRig, value, type Rig } from "./rig.ts";

const FIRST = "refs/wisp/rescue/first/abandoned";

function putAway({ context, hub }: Rig) {
  return archiveBranch(context, { directory: hub.directory, branch: BRANCH }, "first");
}

test("archiving removes a branch and keeps its commits under a reference", async () => {
  using rig = createRig();
  const head = rig.git(["rev-parse", BRANCH]);
  expect(value(await putAway(rig))).toEqual({ kind: "kept", ref: FIRST });
  expect(rig.git(["rev-parse", FIRST])).toBe(head);
  expect(rig.git(["for-each-ref", `refs/heads/${BRANCH}`])).toBe("");
  expect(value(await putAway(rig))).toEqual({ kind: "gone", ref: FIRST });
});

test("a later branch of the same name gets its own reference", async () => {
  using rig = createRig();
  const before = rig.git(["rev-parse", BRANCH]);
  value(await putAway(rig));
  const tree = rig.git(["rev-parse", "HEAD^{tree}"]).trim();
  const later = rig.git(["commit-tree", "-m", "later", tree]).trim();
  rig.git(["branch", BRANCH, later]);
  const ref = `${FIRST}-${later.slice(0, 12)}`;
  expect(value(await putAway(rig))).toEqual({ kind: "kept", ref });
  expect(rig.git(["rev-parse", ref]).trim()).toBe(later);
  expect(rig.git(["rev-parse", FIRST])).toBe(before);
});

test("archiving leaves a branch that is checked out, and still keeps its commits", async () => {
  using rig = createRig();
  rig.git(["checkout", "--quiet", BRANCH]);
  expect(value(await putAway(rig))).toMatchObject({ kind: "checked-out", ref: FIRST });
  expect(rig.git(["rev-parse", BRANCH])).toBe(rig.git(["rev-parse", FIRST]));
});

test("a branch that never existed cannot be archived", async () => {
  using rig = createRig();
  rig.git(["branch", "-D", BRANCH]);
  expect(value(await putAway(rig))).toEqual({ kind: "gone", ref: undefined });
});

test("the ref of a branch elsewhere goes with the branch, and stays if nothing else leads to its commit", async () => {
  using rig = createRig();
  const mirror = "refs/wisp/mirror/first";
  const tree = rig.git(["rev-parse", "HEAD^{tree}"]).trim();
  const later = rig.git(["commit-tree", "-m", "later", "-p", "HEAD", tree]).trim();
  rig.git(["update-ref", mirror, later]);
  value(await putAway(rig));
  expect(rig.git(["rev-parse", mirror]).trim()).toBe(later);
  rig.git(["branch", BRANCH, later]);
  value(await putAway(rig));
  expect(rig.git(["for-each-ref", mirror])).toBe("");
  value(await putAway(rig));
});
