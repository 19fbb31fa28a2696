import { test } from "vitest";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRig, value } from "./rig.ts";
const x = promisify(execFile);
test("bench", async () => {
  const rig = createRig();
  for (let i = 0; i < 200; i++) writeFileSync(join(rig.hub.directory, `f${i}.txt`), `${i}\n`);
  rig.git(["add", "-A"]);
  rig.git(["commit", "-qm", "many"]);
  rig.git(["branch", "-f", "wisp/first"]);
  const N = 30;
  const res: string[] = [];
  async function time(
    name: string,
    before: (i: number) => unknown,
    run: (i: number) => unknown,
    n = N,
  ) {
    const t: number[] = [];
    for (let i = 0; i < n; i++) {
      await before(i);
      const a = performance.now();
      await run(i);
      t.push(performance.now() - a);
    }
    t.sort((a, b) => a - b);
    console.log(
      name.padEnd(44),
      "p50",
      t[Math.floor(n / 2)]!.toFixed(2),
      "p90",
      t[Math.floor(n * 0.9)]!.toFixed(2),
    );
  }
  const nop = () => {};
  await time("floor: execFile true", nop, () => x("true", []));
  await time("floor: execFile git rev-parse HEAD", nop, () =>
    x("git", ["-C", rig.hub.directory, "rev-parse", "HEAD"]),
  );
  await time("createClone (new)", nop, (i) => rig.clone(`n${i}`), 15);
  await time("createClone (exists)", nop, (i) => rig.clone(`n1`), 15);
  const b = await rig.clone("builder");
  const t = await rig.clone("tester");
  await time(
    "hub.head x1000 (ms per 1000)",
    nop,
    async () => {
      for (let i = 0; i < 1000; i++) await rig.hub.head("wisp/first");
    },
    10,
  );
  await time(
    "clone.head x1000 (ms per 1000)",
    nop,
    async () => {
      for (let i = 0; i < 1000; i++) await b.head();
    },
    10,
  );
  await time("isDirty clean", nop, () => b.isDirty());
  await time("repair healthy", nop, () => b.repair());
  await time("clean noop", nop, () => b.clean());
  await time("syncTo noop", nop, () => b.syncTo());
  await time(
    "commitAll 3 files",
    (i) => {
      for (const k of [1, 2, 3]) writeFileSync(join(b.directory, `f${k}.txt`), `${i} x\n`);
    },
    () => b.commitAll("m"),
  );
  await time("commitAll nothing", nop, () => b.commitAll("m"));
  let h = "";
  await time(
    "publish 1 commit",
    async (i) => {
      writeFileSync(join(b.directory, "f9.txt"), `${i}p\n`);
      h = value(await b.commitAll("p"))!;
    },
    async () => value(await b.publish(h)),
  );
  await time("publish again (noop)", nop, () => b.publish(h));
  await time("rebaseOntoHub same head", nop, () => b.rebaseOntoHub());
  await time(
    "rebaseOntoHub ahead",
    async (i) => {
      writeFileSync(join(b.directory, "f9.txt"), `${i}q\n`);
      await b.commitAll("p");
    },
    () => b.rebaseOntoHub(),
  );
  await b.rescueAndReset();
  await time(
    "rebaseOntoHub 1 commit, hub moved",
    async (i) => {
      await t.syncTo();
      await b.syncTo();
      writeFileSync(join(b.directory, "f9.txt"), `${i}r\n`);
      await b.publish(value(await b.commitAll("p"))!);
      writeFileSync(join(t.directory, "f8.txt"), `${i}r\n`);
      await t.commitAll("t");
    },
    async () => value(await t.rebaseOntoHub()),
    15,
  );
  await time(
    "syncTo, one commit behind",
    async (i) => {
      await b.syncTo();
      writeFileSync(join(b.directory, "f9.txt"), `${i}s\n`);
      await b.publish(value(await b.commitAll("p"))!);
    },
    async () => value(await t.syncTo()),
    15,
  );
  await time("isPublished", nop, () => b.isPublished(h));
  await time("treeOf (simple-git)", nop, () => b.treeOf(h));
  await time("subjectOf (simple-git)", nop, () => b.subjectOf(h));
  const base = (await x("git", ["-C", rig.hub.directory, "rev-parse", "main"])).stdout.trim();
  await time(
    "hub.commits grown by one",
    async (i) => {
      await b.syncTo();
      writeFileSync(join(b.directory, "f9.txt"), `${i}t\n`);
      h = value(await b.commitAll("p"))!;
      await b.publish(h);
    },
    async () => value(await rig.hub.commits(base, h)),
    15,
  );
  await time("hub.commits known", nop, () => rig.hub.commits(base, h));
  await time(
    "rescueAndReset dirty",
    (i) => writeFileSync(join(b.directory, "u.txt"), `${i}`),
    () => b.rescueAndReset(),
    10,
  );
  rig[Symbol.dispose]();
}, 600000);
