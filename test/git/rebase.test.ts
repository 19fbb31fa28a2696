import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BRANCH, commit, createRig, read, value, write } from "./rig.ts";

test("nothing changes if our commits already contain the hub's", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const made = await commit(clone, "a.txt");
  expect(value(await clone.rebaseOntoHub())).toEqual({ head: made, moved: false });
});

test("rebases our commits onto the hub's and keeps their authors", async () => {
  using rig = createRig();
  const builder = await rig.clone("builder");
  const tester = await rig.clone("tester");
  const published = await commit(builder, "a.txt");
  value(await builder.publish(published));
  write(join(tester.directory, "b.txt"), "b");
  rig.git(["add", "b.txt"], tester.directory);
  rig.git(["commit", "--quiet", "--author=Grace <g@x.org>", "-m", "b"], tester.directory);
  const before = value(await tester.head());
  const { head, moved } = value(await tester.rebaseOntoHub());
  expect(moved).toBe(true);
  expect(head).not.toBe(before);
  expect(value(await tester.commitsSince(published))).toEqual([head]);
  expect(rig.git(["log", "-1", "--format=%an <%ae> %cn <%ce>"], tester.directory).trim()).toBe(
    "Grace <g@x.org> Ada Lovelace <ada@example.org>",
  );
  value(await tester.publish(head));
});

test("a clone without commits of its own follows the hub", async () => {
  using rig = createRig();
  const builder = await rig.clone("builder");
  const tester = await rig.clone("tester");
  const published = await commit(builder, "a.txt");
  value(await builder.publish(published));
  expect(value(await tester.rebaseOntoHub())).toEqual({ head: published, moved: true });
  expect(read(join(tester.directory, "a.txt"))).toBe("a.txt\n");
});

test("a conflict leaves commits, files and branch unchanged", async () => {
  using rig = createRig();
  const builder = await rig.clone("builder");
  const tester = await rig.clone("tester");
  value(await builder.publish(await commit(builder, "readme.md", "builder\n")));
  await commit(tester, "other.txt");
  const before = await commit(tester, "readme.md", "tester\n");
  write(join(tester.directory, "node_modules", "x.js"), "installed");
  expect(await tester.rebaseOntoHub()).toEqual({ ok: false, failure: { kind: "conflict" } });
  expect(value(await tester.head())).toBe(before);
  expect(value(await tester.isDirty())).toBe(false);
  expect(read(join(tester.directory, "readme.md"))).toBe("tester\n");
  expect(existsSync(join(tester.directory, "node_modules", "x.js"))).toBe(true);
  expect(rig.git(["symbolic-ref", "HEAD"], tester.directory)).toBe(`refs/heads/${BRANCH}\n`);
  expect(existsSync(join(tester.directory, ".git", "rebase-merge"))).toBe(false);
  await commit(tester, "after.txt");
});

test("refuses uncommitted work and keeps it", async () => {
  using rig = createRig();
  const builder = await rig.clone("builder");
  const tester = await rig.clone("tester");
  value(await builder.publish(await commit(builder, "a.txt")));
  await commit(tester, "b.txt");
  write(join(tester.directory, "readme.md"), "uncommitted\n");
  expect(await tester.rebaseOntoHub()).toMatchObject({ failure: { kind: "git" } });
  expect(read(join(tester.directory, "readme.md"))).toBe("uncommitted\n");
});

test("merges that an engine made are flattened", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const base = value(await clone.head());
  rig.git(["checkout", "--quiet", "-b", "feature"], clone.directory);
  write(join(clone.directory, "feature.txt"), "f");
  rig.git(["add", "feature.txt"], clone.directory);
  rig.git(["commit", "--quiet", "-m", "feature"], clone.directory);
  rig.git(["checkout", "--quiet", BRANCH], clone.directory);
  await commit(clone, "a.txt");
  rig.git(["merge", "--quiet", "--no-ff", "-m", "merge", "feature"], clone.directory);
  const { head, moved } = value(await clone.rebaseOntoHub());
  expect(moved).toBe(true);
  expect(value(await clone.commitsSince(base))).toHaveLength(2);
  expect(rig.git(["rev-list", "--merges", head], clone.directory)).toBe("");
  expect(read(join(clone.directory, "feature.txt"))).toBe("f");
});

test("a commit whose changes the hub already has is dropped", async () => {
  using rig = createRig();
  const builder = await rig.clone("builder");
  const tester = await rig.clone("tester");
  const published = await commit(builder, "a.txt");
  value(await builder.publish(published));
  write(join(tester.directory, "a.txt"), "a.txt\n");
  value(await tester.commitAll("the same, said otherwise"));
  expect(value(await tester.rebaseOntoHub())).toEqual({ head: published, moved: true });
});

test("the hub's branch is fetched without any other reference of the clone changing", async () => {
  using rig = createRig();
  const builder = await rig.clone("builder");
  const tester = await rig.clone("tester");
  const published = await commit(builder, "a.txt");
  value(await builder.publish(published));
  rig.git(["tag", "v1", BRANCH]);
  await commit(tester, "b.txt");
  value(await tester.rebaseOntoHub());
  expect(rig.git(["for-each-ref", "--format=%(refname)"], tester.directory)).toBe(
    `refs/heads/${BRANCH}\nrefs/wisp/hub\n`,
  );
  expect(rig.git(["rev-parse", "refs/wisp/hub"], tester.directory).trim()).toBe(published);
});
