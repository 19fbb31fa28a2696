import { expect, test } from "vitest";
import { readFileSync, writeFileSync } from "node:fs";
import { recover } from "../../../src/agents/builder/recover.ts";
import { publishBuild, type BuildClaim } from "../../../src/agents/builder/end-build.ts";
import type { BuilderRecord } from "../../../src/fs-protocol/records/builder-log.ts";
import { roleLog } from "../../../src/fs-protocol/home/home.ts";
import { builder } from "../../rig/records.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import { sessionRig } from "../role-rig.ts";

/** Publishes a commit of a unit, and returns the kinds of the records of each append, and the ends. */
async function publishing(claim: BuildClaim) {
  using rig = sessionRig();
  const { context, recordsOf } = rig.role("builder");
  const clone = await context.clone();
  await clone.syncTo();
  put(clone.directory, "a.txt", "a\n");
  commit(clone.directory, "Add a");
  const appends: (readonly string[])[] = [];
  const journal = {
    ...context.journal,
    append: (...records: readonly BuilderRecord[]) => {
      appends.push(records.map(({ kind }) => kind));
      context.journal.append(...records);
    },
  };
  const unit = { key: "build:One:1", milestone: "One", base: rig.session.base };
  await publishBuild({ ...context, journal }, await rig.at.state(), unit, claim);
  const head = rig.at.git("rev-parse", "wisp/demo");
  expect(recordsOf("push.done")).toMatchObject([{ unit: unit.key, sha: head }]);
  expect(recordsOf("build.end")).toMatchObject([{ unit: unit.key, commits: [head] }]);
  return { appends, ends: recordsOf("build.end") };
}

const TICKS = [{ m: "One", tasks: [1] }];

test("a build that completes no milestone ends with the append that says it is published", async () => {
  const { appends, ends } = await publishing({ ticks: TICKS, splits: [] });
  expect(appends).toEqual([["push.intent"], ["push.done", "build.end"]]);
  expect(ends).toMatchObject([{ outcome: "partial", ticks: TICKS }]);
  const unticked = await publishing({ ticks: [], splits: [] });
  expect(unticked.appends).toEqual(appends);
  expect(unticked.ends).toMatchObject([{ outcome: "noprogress" }]);
});

test("one that may complete a milestone says that it is published before verify runs", async () => {
  const { appends, ends } = await publishing({ ticks: TICKS, splits: [{ m: "One", commits: 1 }] });
  expect(appends.slice(0, 2)).toEqual([["push.intent"], ["push.done"]]);
  expect(appends.at(-1)).toEqual(["build.end"]);
  expect(ends).toMatchObject([{ outcome: "milestone", milestones: [{ name: "One" }] }]);
});

test("an append of both that was torn anywhere is completed: one end, and nothing is published twice", async () => {
  using rig = sessionRig();
  const { context } = rig.role("builder");
  const { journal } = context;
  const key = "build:One:1";
  const { base } = rig.session;
  journal.append(builder.adopt({ One: ["one", "two"] }));
  journal.append({ kind: "unit.begin", time: journal.time(), unit: key, base });
  const clone = await context.clone();
  await clone.syncTo();
  put(clone.directory, "a.txt", "a\n");
  commit(clone.directory, "Add a");
  const unit = { key, milestone: "One", base };
  await publishBuild(context, await rig.at.state(), unit, { ticks: TICKS, splits: [] });
  const head = rig.at.git("rev-parse", "wisp/demo");
  const path = roleLog(rig.at.home, "builder");
  const whole = readFileSync(path);
  const text = whole.toString("latin1");
  const [done, end] = ["push.done", "build.end"].map((kind) => text.indexOf(kind) - 25);
  const begins = [done ?? 0, end ?? 0];
  const cuts = begins.flatMap((at) => [at, at + 1, at + 40]).concat(whole.length - 1);
  for (const cut of cuts) {
    writeFileSync(path, whole.subarray(0, cut));
    await recover(context, await rig.at.state());
    // A fragment that was torn off is sealed with this word.
    const lines = readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => !line.endsWith("|torn"));
    const ends = lines.filter((line) => line.includes(" build.end "));
    expect(ends, `torn after ${String(cut)} bytes`).toEqual([expect.stringContaining(head)]);
    expect(ends[0]).toContain("outcome=partial");
    expect((await rig.at.state()).builder.open).toBeUndefined();
    expect(rig.at.git("rev-parse", "wisp/demo")).toBe(head);
  }
});
