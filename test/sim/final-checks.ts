import type { z } from "zod";
import { present } from "../../src/base/assert.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { roleLog } from "../../src/fs-protocol/home/home.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import { projectionFolds } from "../rig/projection-folds.ts";
import { decodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { createNodeFiles } from "../../src/host/files/node-files.ts";
import { checkHistory } from "../model/history-checks.ts";
import { historyOf, type Commit, type History } from "../model/history.ts";
import { logsSay, projectionsSay } from "../rig/projections.ts";
import { briefOf, findingCount, HINTED } from "./engine-turn.ts";
import { HOME } from "./sim-home.ts";
import type { SimSession } from "./sim-session.ts";
import type { Wrong } from "./wrong.ts";

/** Checks all invariants of a session's records: nothing was lost, and nothing done twice. */
export function endBroken(session: SimSession): Wrong | undefined {
  const missing = session.ledger.missingFrom(session.disk);
  if (missing !== undefined) return { invariant: "durable", what: `lost: ${missing}` };
  const history = historyIn(session);
  return (
    checkHistory(history, session.session.policy) ??
    workTwice(session, history) ??
    hintTaken(session, history) ??
    findingLost(session, history) ??
    (session.late === undefined ? projectionWrong(history) : undefined)
  );
}

function historyIn({ disk, repository, session }: SimSession): History {
  const records = <S extends z.ZodType>(path: string, schema: S): z.output<S>[] =>
    (disk.textOf(path) ?? "").split("\n").flatMap((line) => {
      const record = decodeRecord(schema, line);
      return record.ok ? [record.value] : [];
    });
  const builder = records(roleLog(HOME, "builder"), BuilderRecord);
  const tester = records(roleLog(HOME, "tester"), TesterRecord);
  const units = new Map<string, string>();
  for (const record of [...builder, ...tester]) {
    if (record.kind !== "push.intent") continue;
    for (const sha of record.shas) units.set(sha, record.unit);
  }
  const commits = repository.between(session.base, repository.head).map(({ sha }): Commit => {
    const unit = units.get(sha);
    // The unit identifies the work of fixes and tests; the files of a build are checked one by one.
    return { sha, unit, work: unit === undefined || unit.startsWith("build:") ? sha : unit };
  });
  return historyOf({
    policy: session.policy,
    base: session.base,
    builder,
    planner: records(roleLog(HOME, "planner"), PlannerRecord),
    reviewer: records(roleLog(HOME, "reviewer"), ReviewerRecord),
    tester,
    human: records(HOME.humanLog, HumanRecord),
    supervisor: records(HOME.supervisorLog, SupervisorRecord),
    commits,
  });
}

/** I4: no turn repeats what another turn did and published. */
function workTwice({ repository }: SimSession, { branch }: History): Wrong | undefined {
  const doneBy = new Map<string, string>();
  for (const { sha, unit } of branch.records) {
    if (unit?.startsWith("build:") !== true) continue;
    const parent = present(repository.at(sha).parent, "a commit of the session has a parent");
    for (const [path, how] of repository.changed(parent, sha)) {
      if (!path.startsWith("src/") || how === "deleted") continue;
      const other = doneBy.get(path);
      if (other !== undefined) {
        return { invariant: "I4", what: `${path} is built twice: by ${other} and by ${unit}` };
      }
      doneBy.set(path, unit);
    }
  }
  return undefined;
}

/** A hint's turn changes nothing on the branch. */
function hintTaken({ repository }: SimSession, { branch }: History): Wrong | undefined {
  for (const { sha } of branch.records) {
    const parent = present(repository.at(sha).parent, "a commit of the session has a parent");
    const left = [...repository.changed(parent, sha).keys()].find((path) =>
      path.startsWith(HINTED),
    );
    if (left !== undefined) return { invariant: "hint", what: `${left} is on the branch` };
  }
  return undefined;
}

/** I5: all findings of each unit that was reviewed or tested are recorded. */
function findingLost({ seed }: SimSession, { reviewer, tester }: History): Wrong | undefined {
  const found = new Set<string>();
  const looked: string[] = [];
  for (const record of [...reviewer.records, ...tester.records]) {
    if (record.kind === "review.end") {
      for (const { brief } of record.findings) found.add(brief);
      if (record.outcome === "reviewed") looked.push(record.unit);
    } else if (record.kind === "test.end" || record.kind === "final.end") {
      for (const { brief } of record.bugs) found.add(brief);
      if (record.outcome === "tested") looked.push(record.unit);
    }
  }
  for (const unit of looked) {
    for (let index = 0; index < findingCount(seed, unit); index++) {
      if (found.has(briefOf(unit, index))) continue;
      return { invariant: "I5", what: `${unit} was looked at, and what was found is lost` };
    }
  }
  return undefined;
}

/** The projections agree with the logs, and have each line once. */
function projectionWrong(history: History): Wrong | undefined {
  const files = createNodeFiles();
  const folds = projectionFolds(files, HOME);
  for (const fold of Object.values(folds)) fold.refresh();
  const { milestones, commits, reviewed, tested, final, findings, bugs, ending } = folds;
  const told = projectionsSay({
    milestones: milestones.value,
    commits: commits.value,
    reviewed: reviewed.value,
    tested: tested.value,
    final: final.value,
    findings: findings.value,
    bugs: bugs.value,
    ending: ending.value,
  });
  const { builder, reviewer, tester } = history;
  const logs = logsSay({ builder: builder.fold, reviewer: reviewer.fold, tester: tester.fold });
  if (JSON.stringify(told) === JSON.stringify(logs)) return undefined;
  const what = `the projections say ${JSON.stringify(told)}, the logs ${JSON.stringify(logs)}`;
  return { invariant: "projections", what };
}
