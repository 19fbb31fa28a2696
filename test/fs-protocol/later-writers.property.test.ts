import fc from "fast-check";
import { expect, test } from "vitest";
import { checkProjection } from "../../src/session/check/check-projection.ts";
import { need } from "../../src/base/fatal.ts";
import { ROLES } from "../../src/base/role.ts";
import { ok } from "../../src/base/result.ts";
import { reconcileProjections } from "../../src/agents/home-projections.ts";
import { readHomeFiles } from "../../src/workspace/home/home-files.ts";
import { readSession } from "../../src/workspace/sessions.ts";
import { homeFile, LINE_FILE_NAMES } from "../../src/fs-protocol/home/catalogue.ts";
import { homeAt, roleLog } from "../../src/fs-protocol/home/home.ts";
import type { HomeIssue } from "../../src/fs-protocol/home/home-issue.ts";
import { readHomeLogs, type HomeLogs, type LogContent } from "../../src/fs-protocol/home/logs.ts";
import { projectionFolds } from "../rig/projection-folds.ts";
import { createSessionReader } from "../../src/session/state/session-reader.ts";
import { keptFiles } from "../rig/kept-home.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { projectionsSay } from "../rig/projections.ts";
import { sprinkleJson, sprinkleLines, sprinkleLog, type Choose } from "../rig/sprinkle.ts";

/*
 * Every reader ignores what a later version of wisp may add to a home of this version of the protocol: a home
 * with unknown keys in each record and in session.json, with records of optional kinds between them, and with
 * more fields after those of the projections reads like the home without them.
 */

const PLACES = { root: "/srv/kept", node: "/node", agent: "/agent.mjs" };
const KEPT = keptFiles("v1-halfway", "home", PLACES);
const HOME = homeAt("/srv/kept/repository/.wisp/sessions/a-greeting");
const LOCKS = {
  withLock: async <T>(_: string, critical: () => T) => ok(critical()),
  takeLease: never,
  isLeaseHeld: never,
};
const HUB = {
  directory: "/srv/kept/repository",
  head: async () => undefined,
  commits: async () => ok([]),
};
const LOGS = [...ROLES.map((role) => roleLog(HOME, role)), HOME.humanLog, HOME.supervisorLog];
/** Projections, and how many fields of a line a reader needs before there may be others. */
const PROJECTIONS: readonly (readonly [string, number])[] = [
  [HOME.milestones, 3],
  [HOME.builderDone, 4],
  [HOME.reviewerCheckpoint, 2],
  [HOME.reviewerMilestone, 2],
  [HOME.testerMilestone, 2],
  [HOME.testerFinal, 4],
];

function never(): never {
  throw new TypeError("nobody takes a lease");
}

/** The stored home, with records of people and an end, so that no log and no projection is empty. */
function wholeHome(): MemoryFiles {
  const files = new MemoryFiles();
  for (const [path, text] of KEPT) write(files, `${HOME.directory}/${path}`, text);
  const at = "2026-11-22T14:00:00.000Z";
  const finding = JSON.stringify({
    ...{ id: "HUM-000001", level: "warning", reviewer: "human", category: "x", brief: "x" },
    ...{ issue: "x", suggestion: "x" },
  });
  const sha = "1".repeat(40);
  files.append(
    HOME.humanLog,
    Buffer.from(
      `${at} add finding=${JSON.stringify(finding)}\n${at} dismiss id=COR-52a930 why=x\n` +
        `${at} budget of=session limits="{\\"usd\\":20}"\n`,
    ),
  );
  files.append(
    roleLog(HOME, "tester"),
    Buffer.from(`${at} final.end unit=final:1 n=1 at=${sha} outcome=tested bugs=[] commits=-\n`),
  );
  files.append(
    roleLog(HOME, "builder"),
    Buffer.from(
      `${at} final.open n=1 at=${sha}\n` +
        `${at} done how=stuck head=${sha} open=- gaveup=- failed=[] human=1 reason=x\n`,
    ),
  );
  return files;
}

function write(files: MemoryFiles, path: string, text: string): void {
  need(files.replace(path, Buffer.from(text)));
}

/** What each reader reads from a home. */
async function readingsOf(files: MemoryFiles) {
  const { session } = need(readSession(files, HOME));
  const reader = createSessionReader(files, HUB, HOME, session);
  const { builder, planner, reviewer, tester, human, supervisor } = need(await reader.read());
  const folds = projectionFolds(files, HOME);
  const projections = projectionsSay({
    milestones: need(folds.milestones.refresh()),
    commits: need(folds.commits.refresh()),
    reviewed: need(folds.reviewed.refresh()),
    tested: need(folds.tested.refresh()),
    final: need(folds.final.refresh()),
    findings: need(folds.findings.refresh()),
    bugs: need(folds.bugs.refresh()),
    ending: need(folds.ending.refresh()),
  });
  const logs = readHomeLogs(files, HOME);
  const checked = readHomeFiles(files, HOME, session, logs);
  return {
    ...{ session, builder, planner, reviewer, tester, human, supervisor, projections },
    turns: reader.readTurns().ok,
    bad: [
      ...reader.quarantined(),
      // REVIEWS.md and BUGS.md also contain lines for people.
      ...[
        folds.milestones,
        folds.commits,
        folds.reviewed,
        folds.tested,
        folds.final,
        folds.ending,
      ].flatMap((fold) => fold.quarantined),
      ...badLines(logs),
      ...checked.projections.flatMap(checkProjection),
    ],
  };
}

function badLines(logs: HomeLogs): readonly HomeIssue[] {
  const all: readonly LogContent<unknown>[] = Object.values(logs);
  return all.flatMap(({ bad }) => bad);
}

const textsOf = (files: MemoryFiles) => PROJECTIONS.map(([path]) => files.textOf(path));

test("the list of projections contains every file that is derived from the records", () => {
  const own = LINE_FILE_NAMES.filter((name) => {
    const { isOpenToPeople, isByRevisions = false } = homeFile(name);
    return !isOpenToPeople && !isByRevisions;
  });
  expect(own.map((name) => HOME[name])).toEqual(PROJECTIONS.map(([path]) => path));
});

test("a home written by a later version is read as if it had no unknown fields and records", async () => {
  const plain = wholeHome();
  const { session } = need(readSession(plain, HOME));
  await reconcileProjections({ files: plain, locks: LOCKS }, HOME, session);
  const expected = await readingsOf(plain);
  expect(expected.bad).toEqual([]);
  expect(textsOf(plain).every((text) => text !== "")).toBe(true);
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
      const choose: Choose = (below) => (numbers.next().value ?? 0) % below;
      const files = new MemoryFiles();
      for (const [path] of KEPT) {
        const place = `${HOME.directory}/${path}`;
        write(files, place, plain.textOf(place));
      }
      for (const path of LOGS) write(files, path, sprinkleLog(plain.textOf(path), choose));
      for (const [path, fieldsMin] of PROJECTIONS) {
        write(files, path, sprinkleLines(plain.textOf(path), fieldsMin, choose));
      }
      const json: unknown = JSON.parse(plain.textOf(HOME.sessionJson));
      write(files, HOME.sessionJson, JSON.stringify(sprinkleJson(json, choose)));
      expect(await readingsOf(files)).toEqual(expected);
      // Nor does a role rewrite, at its start, lines that have more fields at their end.
      const before = textsOf(files);
      await reconcileProjections({ files, locks: LOCKS }, HOME, session);
      expect(textsOf(files)).toEqual(before);
    }),
    { numRuns: 40 },
  );
});
