import { expect, test } from "vitest";
import { publishBuild, type BuildClaim } from "../../../src/agents/builder/end-build.ts";
import type { BuilderRecord } from "../../../src/fs-protocol/records/builder-log.ts";
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
