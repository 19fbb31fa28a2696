import fc from "fast-check";
import { expect, test } from "vitest";
import type { z } from "zod";
import { need } from "../../src/base/fatal.ts";
import type { Locks } from "../../src/base/ports/locks.ts";
import { ok } from "../../src/base/result.ts";
import { builderProjections } from "../../src/agents/builder/projections.ts";
import { createJournal } from "../../src/work/journal.ts";
import { Projector, type ProjectorOptions } from "../../src/home/projector.ts";
import { reviewerProjections } from "../../src/agents/reviewer/projections.ts";
import { testerProjections } from "../../src/agents/tester/projections.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER } from "../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import { EMPTY_JUDGE, foldJudge } from "../../src/session/state/fold-judge.ts";
import { homeAt, roleLog } from "../../src/fs-protocol/home/home.ts";
import { projectionFolds, projectionPaths } from "../rig/projection-folds.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { SCENARIOS, type ScenarioName } from "../model/scenarios.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { logsSay, projectionsSay } from "../rig/projections.ts";
import { randomSession, type RandomSession } from "../rig/random-session.ts";

const HOME = homeAt("/repository/.wisp/sessions/demo");
const CLOCK = { nowMs: () => 0, sleep: () => Promise.resolve() };
const LOCKS: Pick<Locks, "withLock"> = { withLock: async (_, critical) => ok(critical()) };
/** It takes minutes on a busy machine. */
const timeout = 180_000;
const NAMES = Object.keys(SCENARIOS).filter((name): name is ScenarioName => name in SCENARIOS);

/**
 * What happens to a role after its records. If it is killed `before` the other files are written, it may be
 * restarted at once, or after more was recorded; if it is killed `within` them, it tears the last line.
 */
const CRASHES = ["before", "within"] as const;

interface Fate {
  readonly files: MemoryFiles;
  /** An integer below its argument. */
  readonly choose: (below: number) => number;
  /** One crash in this many records; 0 means none. */
  readonly oneIn: number;
}

/** A role's own options for its projector, except those of the machine. */
type Own<S extends z.ZodType, F> = Omit<ProjectorOptions<S, F>, "files" | "locks">;

/** Replays a role's history: each record into its log, then the projections, with crashes. */
async function relive<S extends z.ZodType, F>(
  own: Own<S, F>,
  records: readonly z.output<S>[],
  { files, choose, oneIn }: Fate,
): Promise<void> {
  const start = async () => {
    const locks: Locks = { ...LOCKS, takeLease: never, isLeaseHeld: never };
    const projector = new Projector<S, F>({ ...own, files, locks });
    await projector.reconcile();
    return projector;
  };
  let projector = await start();
  for (const record of records) {
    createJournal({ files, clock: CLOCK }, own.path, own.schema).append(record);
    const crash = oneIn > 0 && choose(oneIn) === 0 ? CRASHES[choose(2)] : undefined;
    if (crash === "before") {
      projector = choose(2) === 0 ? await start() : projector;
    } else if (crash === "within") {
      await tearLast(files, choose, () => projector.advance());
      projector = await start();
    } else {
      await projector.advance();
    }
  }
  await start();
}

/** Runs `act`, and removes a part of the last line that it wrote. */
async function tearLast(
  files: MemoryFiles,
  choose: Fate["choose"],
  act: () => Promise<void>,
): Promise<void> {
  let last: { readonly path: string; readonly sizeBytes: number } | undefined;
  files.fault = (operation, path) => {
    if (operation === "append") last = { path, sizeBytes: files.bytesOf(path).length };
    return undefined;
  };
  await act();
  files.fault = () => undefined;
  if (last === undefined) return;
  const { path, sizeBytes } = last;
  files.cut(path, sizeBytes + choose(files.bytesOf(path).length - sizeBytes));
}

function never(): never {
  throw new TypeError("no role of this test takes a lease");
}

async function relived(session: RandomSession, fate: Fate): Promise<void> {
  const { policy } = session;
  const path = (role: "builder" | "reviewer" | "tester") => roleLog(HOME, role);
  await relive(
    {
      path: path("builder"),
      schema: BuilderRecord,
      empty: EMPTY_BUILDER,
      reduce: (fold, record) => foldBuilder(fold, record, policy),
      project: builderProjections(HOME, { policy, progress: 2 }),
    },
    session.builder,
    fate,
  );
  const judge = { empty: EMPTY_JUDGE, reduce: foldJudge };
  const reviewer = { ...judge, path: path("reviewer"), schema: ReviewerRecord };
  await relive(
    { ...reviewer, project: reviewerProjections(HOME, { policy, progress: 2 }) },
    session.reviewer,
    fate,
  );
  const tester = { ...judge, path: path("tester"), schema: TesterRecord };
  await relive(
    { ...tester, project: testerProjections(HOME, { policy, progress: 2 }) },
    session.tester,
    fate,
  );
}

function readProjections(files: MemoryFiles) {
  const folds = projectionFolds(files, HOME);
  return {
    milestones: need(folds.milestones.refresh()),
    commits: need(folds.commits.refresh()),
    reviewed: need(folds.reviewed.refresh()),
    tested: need(folds.tested.refresh()),
    final: need(folds.final.refresh()),
    findings: need(folds.findings.refresh()),
    bugs: need(folds.bugs.refresh()),
    ending: need(folds.ending.refresh()),
  };
}

function foldLogs({ policy, builder, reviewer, tester }: RandomSession) {
  return logsSay({
    builder: builder.reduce((fold, record) => foldBuilder(fold, record, policy), EMPTY_BUILDER),
    reviewer: reviewer.reduce(foldJudge, EMPTY_JUDGE),
    tester: tester.reduce(foldJudge, EMPTY_JUDGE),
  });
}

const anySession = fc
  .tuple(fc.constantFrom(...NAMES), fc.integer({ min: 1, max: 160 }), fc.infiniteStream(fc.nat()))
  .map(([name, stepsMax, numbers]) => {
    return randomSession(name, stepsMax, (below) => (numbers.next().value ?? 0) % below);
  });

test("the projections of a session say what its role logs say", { timeout }, async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anySession, async (session) => {
      const files = new MemoryFiles();
      await relived(session, { files, choose: () => 0, oneIn: 0 });
      const expected = foldLogs(session);
      expect(projectionsSay(readProjections(files))).toEqual(expected);
      for (const [what, is] of Object.entries(coverOf(session, expected.ending)))
        if (is) seen.add(what);
    }),
    // The same histories each time, because their coverage is asserted, too.
    { numRuns: 200, seed: 1 },
  );
  // The histories cover these cases: each of them occurred.
  expect([...seen].sort()).toEqual(
    [
      "bug",
      "closed",
      "complete",
      "dismissed",
      "final",
      "given up",
      "reopened",
      "stuck",
      "verdict",
    ].sort(),
  );
});

function coverOf({ reviewer, tester }: RandomSession, ending: string): Record<string, boolean> {
  const judges = [...reviewer, ...tester];
  const verdicts = judges.flatMap((record) =>
    record.kind === "verify.end" ? [record.verdict] : [],
  );
  return {
    complete: ending.startsWith("complete"),
    stuck: ending.startsWith("stuck"),
    reopened: !ending.endsWith("reopened 0 times"),
    final: tester.some(({ kind }) => kind === "final.end"),
    bug: tester.some((record) => "bugs" in record && record.bugs.length > 0),
    "given up": judges.some((record) => "outcome" in record && record.outcome === "gaveup"),
    dismissed: reviewer.some(
      (record) => record.kind === "adopt.end" && record.finding === undefined,
    ),
    closed: verdicts.includes("closed"),
    verdict: verdicts.includes("reopened"),
  };
}

test(
  "the projections agree with the logs after roles are killed between files or within a line",
  { timeout },
  async () => {
    await fc.assert(
      fc.asyncProperty(anySession, fc.infiniteStream(fc.nat()), async (session, numbers) => {
        const files = new MemoryFiles();
        const choose = (below: number) => (numbers.next().value ?? 0) % below;
        await relived(session, { files, choose, oneIn: 4 });
        expect(projectionsSay(readProjections(files))).toEqual(foldLogs(session));
      }),
      { numRuns: 150 },
    );
  },
);

test("a role rewrites its projections at start if they were deleted", async () => {
  await fc.assert(
    fc.asyncProperty(anySession, async (session) => {
      const files = new MemoryFiles();
      await relived(session, { files, choose: () => 0, oneIn: 0 });
      const before = Object.values(projectionPaths(HOME)).map((path) => files.textOf(path));
      for (const path of Object.values(projectionPaths(HOME))) files.remove(path);
      const nothing = { ...session, builder: [], reviewer: [], tester: [] };
      await relived(nothing, { files, choose: () => 0, oneIn: 0 });
      const now = Object.values(projectionPaths(HOME)).map((path) => files.textOf(path));
      expect(now).toEqual(before);
    }),
    { numRuns: 40 },
  );
});
