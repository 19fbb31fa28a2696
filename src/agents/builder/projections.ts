import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/files.ts";
import type { BuilderRecord } from "../../fs-protocol/builder-log.ts";
import { isSpent, type BuilderFold } from "../../fs-protocol/builder-state.ts";
import { encodeFix, encodeFixFailed } from "../../fs-protocol/findings-block.ts";
import { planPath, type Home } from "../../fs-protocol/home.ts";
import { encodeName } from "../../fs-protocol/milestone-name.ts";
import type { Policy } from "../../fs-protocol/policy.ts";
import { replaceTicks } from "../../fs-protocol/tasks-ticks.ts";
import type { Project, Projection } from "../projector.ts";

/** What the builder's journal puts into milestones.log, builder.done and PROGRESS.txt. */
export function builderProjections(
  home: Home,
  policy: Policy,
): Project<BuilderRecord, BuilderFold> {
  const done = (...fields: readonly string[]): readonly Projection[] => [
    { path: home.builderDone, text: `${fields.join("|")}\n`, isShared: false },
  ];
  return (record, before, after) => {
    switch (record.kind) {
      case "build.end":
        return record.milestones.map(({ name, start, end }) => ({
          path: home.milestones,
          text: `${encodeName(name)}|${start}|${end}\n`,
          isShared: false,
        }));
      case "final.open":
        return done("final", String(record.n), record.at);
      case "done":
        return record.how === "complete"
          ? done("complete", String(before.finalN), record.head)
          : done("stuck", String(before.finalN), record.head, encodeName(record.reason));
      case "reopen":
        return done(
          "reopened",
          String(before.finalN),
          before.done?.head ?? "",
          encodeName(record.by),
        );
      case "fix.end":
        return fixEntry(home, policy, record, after);
      default:
        return [];
    }
  };
}

function fixEntry(
  home: Home,
  policy: Policy,
  record: Extract<BuilderRecord, { kind: "fix.end" }>,
  after: BuilderFold,
): readonly Projection[] {
  const { id, attempt, by, brief, files, outcome, reason = "" } = record;
  const entry = {
    time: record.time,
    reviewer: by,
    id,
    attempt,
    attemptsMax: policy.fixAttemptsMax,
  };
  const at = { path: home.progress, isShared: true };
  if (outcome === "fixed") return [{ ...at, text: encodeFix({ ...entry, fixed: brief, files }) }];
  if (outcome === "failed" && isSpent(after, id, policy)) {
    return [{ ...at, text: encodeFixFailed({ ...entry, issue: brief, reason }) }];
  }
  return [];
}

/**
 * TASKS.md is the plan in force with the boxes that were accepted; written whole, since it is a
 * pure function of the journal and the staged plan.
 */
export function writeTasks(files: Files, home: Home, fold: BuilderFold): void {
  if (fold.planSha === undefined) return;
  const plan = need(files.read(planPath(home, fold.planSha)));
  if (plan === undefined) return;
  const text = replaceTicks(new TextDecoder().decode(plan), fold.ticks);
  const present = need(files.read(home.tasks));
  if (present !== undefined && new TextDecoder().decode(present) === text) return;
  need(files.replace(home.tasks, Buffer.from(text)));
}
