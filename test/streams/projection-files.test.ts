import type { Observable } from "rxjs";
import { expect, test } from "vitest";
import type { FileFailure } from "../../src/base/files.ts";
import { SWEEP_MS, TRAILING_READ_MS } from "../../src/base/limits.ts";
import type { Result } from "../../src/base/result.ts";
import { encodeAnsweredMilestone } from "../../src/fs-protocol/answered-milestone.ts";
import { encodeDone } from "../../src/fs-protocol/builder-done.ts";
import type { ProjectionsFold } from "../../src/fs-protocol/fold-projections.ts";
import { homeAt } from "../../src/fs-protocol/home.ts";
import { encodeItem } from "../../src/fs-protocol/items-md.ts";
import { encodeMilestone } from "../../src/fs-protocol/milestones-log.ts";
import { projectionPaths } from "../../src/fs-protocol/projection-folds.ts";
import { encodeReviewedCommit } from "../../src/fs-protocol/reviewer-checkpoint.ts";
import { encodeFinalPass } from "../../src/fs-protocol/tester-final.ts";
import { projectionFiles, projectionsOf } from "../../src/streams/projection-files.ts";
import { watchHints } from "../../src/streams/watch-hints.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { memoryWatcher } from "../rig/memory-watcher.ts";
import { sha } from "../rig/records.ts";
import { VirtualTime } from "../rig/virtual-time.ts";

const HOME = homeAt("/session");
const PATHS = projectionPaths(HOME);

const opened = encodeItem({
  kind: "opened",
  id: "COR-000001",
  level: "blocking",
  brief: "It is wrong",
  by: "commit:abc",
});

/** A first line for each projection. */
const LINES: Readonly<Record<keyof ProjectionsFold, string>> = {
  milestones: encodeMilestone({ name: "API", start: sha(0), end: sha(1) }),
  commits: encodeReviewedCommit({ sha: sha(1), gaveUp: false }),
  reviewed: encodeAnsweredMilestone({ name: "API", gaveUp: false }),
  tested: encodeAnsweredMilestone({ name: "API", gaveUp: true }),
  final: encodeFinalPass({ n: 1, at: sha(1), gaveUp: false, verify: "passed" }),
  findings: opened,
  bugs: opened.replace("COR", "BUG"),
  ending: encodeDone({ kind: "complete", n: 1, sha: sha(1) }),
};
const KEYS: readonly (keyof ProjectionsFold)[] = [
  "milestones",
  "commits",
  "reviewed",
  "tested",
  "final",
  "findings",
  "bugs",
  "ending",
];

/** A home in memory, watched in virtual time; `missed` writes without any event. */
function rig() {
  const files = new MemoryFiles();
  const time = new VirtualTime();
  const hint$ = watchHints(memoryWatcher(files), [HOME.logs, HOME.directory], time.scheduler);
  const write = (key: keyof ProjectionsFold, line = LINES[key]) =>
    files.append(PATHS[key], Buffer.from(line));
  const missed = (key: keyof ProjectionsFold) => {
    const { changed } = files;
    files.changed = () => undefined;
    write(key);
    files.changed = changed;
  };
  const told: string[] = [];
  const all = projectionFiles(files, HOME, hint$);
  const subscriptions = KEYS.map((key) => {
    const read$: Observable<Result<unknown, FileFailure>> = all[`${key}$`];
    return read$.subscribe({
      next: (read) => told.push(`${key} ${read.ok ? "read" : read.failure.errno}`),
      error: (thrown: unknown) => told.push(String(thrown)),
    });
  });
  const folds: ProjectionsFold[] = [];
  const failures: string[] = [];
  const fold = projectionsOf(files, HOME, hint$).subscribe({
    next: (read) => (read.ok ? folds.push(read.value) : failures.push(read.failure.errno)),
    error: (thrown: unknown) => failures.push(String(thrown)),
  });
  return {
    files,
    time,
    write,
    missed,
    told,
    folds,
    failures,
    subscriptions: [...subscriptions, fold],
  };
}

test("each file tells at once what it says, though it is not there yet", () => {
  const { told, folds } = rig();
  expect(told).toEqual(KEYS.map((key) => `${key} read`));
  expect(folds).toHaveLength(1);
  expect(folds[0]).toMatchObject({ milestones: [], final: undefined, ending: { finalN: 0 } });
});

test.each(KEYS)("a line of %s wakes its own observable, and the fold, and nothing else", (key) => {
  const { write, told, folds } = rig();
  told.length = 0;
  write(key);
  expect(told).toEqual([`${key} read`]);
  expect(folds).toHaveLength(2);
  expect(folds[1]?.[key]).not.toEqual(folds[0]?.[key]);
});

test("together they say what stands in the files", () => {
  const { write, folds } = rig();
  for (const key of KEYS) write(key);
  const fold = folds.at(-1);
  expect(fold).toMatchObject({
    milestones: [{ name: "API", start: sha(0), end: sha(1) }],
    commits: { checkpoint: sha(1) },
    final: { n: 1, at: sha(1), gaveUp: false },
    ending: { ended: { kind: "complete", n: 1, sha: sha(1) } },
  });
  expect([...(fold?.reviewed ?? [])]).toEqual([["API", { gaveUp: false }]]);
  expect([...(fold?.tested ?? [])]).toEqual([["API", { gaveUp: true }]]);
  expect([...(fold?.findings.open ?? [])]).toEqual(["COR-000001"]);
  expect([...(fold?.bugs.open ?? [])]).toEqual(["BUG-000001"]);
});

test("a hint without anything new wakes nobody", async () => {
  const { write, told, folds, time } = rig();
  write("milestones");
  write("milestones");
  const [before, foldsBefore] = [told.length, folds.length];
  await time.advanceTo(2 * SWEEP_MS);
  expect(told).toHaveLength(before);
  expect(folds).toHaveLength(foldsBefore);
});

test("the tail of a burst, of which the watcher says nothing, is read after its silence", async () => {
  const { write, missed, told, time } = rig();
  // The second looks that follow the watcher's first hints are over by then.
  await time.advanceTo(100);
  write("tested");
  told.length = 0;
  await time.advanceTo(120);
  missed("tested");
  await time.advanceTo(100 + TRAILING_READ_MS - 1);
  expect(told).toEqual([]);
  await time.advanceTo(100 + TRAILING_READ_MS);
  expect(told).toEqual(["tested read"]);
});

test.each(KEYS)(
  "a line of %s of which there is no event at all is found by the sweep",
  async (key) => {
    const { missed, told, time } = rig();
    await time.advanceTo(100);
    told.length = 0;
    missed(key);
    await time.advanceTo(SWEEP_MS - 1);
    expect(told).toEqual([]);
    await time.advanceTo(SWEEP_MS);
    expect(told).toEqual([`${key} read`]);
  },
);

test("a file that was replaced is folded anew", () => {
  const { files, write, folds } = rig();
  write("findings");
  files.replace(PATHS.findings, Buffer.from("# empty\n"));
  expect([...(folds.at(-1)?.findings.open ?? ["?"])]).toEqual([]);
});

test("a read that fails is told; the fold says why, and goes on with the next hint", () => {
  const { files, write, told, folds, failures } = rig();
  files.fault = (operation) => (operation === "read" ? "EIO" : undefined);
  write("bugs");
  expect(told.at(-1)).toBe("bugs EIO");
  expect(failures).toEqual(["EIO"]);
  files.fault = () => undefined;
  write("milestones");
  write("bugs");
  expect(folds.at(-1)).toMatchObject({ milestones: [{ name: "API" }] });
  expect([...(folds.at(-1)?.bugs.open ?? [])]).toEqual(["BUG-000001"]);
});

test("who unsubscribes leaves no timer behind", () => {
  const { subscriptions, time, write } = rig();
  write("milestones");
  for (const subscription of subscriptions) subscription.unsubscribe();
  expect(time.scheduler.actions).toEqual([]);
});
