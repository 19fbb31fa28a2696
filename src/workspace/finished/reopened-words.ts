import { recordedNames } from "../../session/rules/build-order.ts";
import { pendingEdit, ticksAfterEdit } from "../../session/rules/plan-edit.ts";
import type { HumanEdit } from "../../session/state/fold-human.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { count } from "../../base/words/sentence.ts";
import { lastEndOf } from "../../session/state/stage.ts";
import { endOf } from "../../session/state/end-in-force.ts";

/** Whether a person asked for more after the end and the builder has not started on it; its log still ends there. */
export function isReopened(state: SessionState): boolean {
  return state.builder.stage.kind === "done" && endOf(state) === undefined;
}

/** What a person asked for after the end of a session, as phrases; empty if nothing is waiting for the builder. */
export function waitingSinceEnd(state: SessionState): readonly string[] {
  const { builder, human } = state;
  const done = lastEndOf(builder);
  if (!isReopened(state) || done === undefined) return [];
  const later = human.events.slice(done.human).filter(({ isVoid }) => !isVoid);
  const of = (kind: (typeof later)[number]["kind"]) => later.filter((one) => one.kind === kind);
  const edit = pendingEdit(human, builder);
  const [added, dismissed] = [of("add").length, of("dismiss").length];
  return [
    ...(edit === undefined ? [] : [editWords(builder, edit)]),
    ...(of("update").length > 0 ? ["the changed request"] : []),
    ...(added > 0 ? [`${count(added, "finding")} of yours`] : []),
    ...(dismissed > 0 ? [`${count(dismissed, "dismissal")} of yours`] : []),
    ...(of("answer").some(({ isFirst }) => isFirst) ? ["your answer"] : []),
    ...(of("resume").length > 0 ? ["your resume"] : []),
  ];
}

/** What an edited plan adds to build. */
function editWords(builder: SessionState["builder"], edit: HumanEdit): string {
  const recorded = recordedNames(builder);
  const open = edit.milestones.filter(({ name }) => !recorded.has(name));
  const tasks = open.reduce((sum, milestone) => sum + milestone.tasks.length, 0);
  const ticked = ticksAfterEdit(builder, edit).reduce((sum, one) => sum + one.tasks.length, 0);
  if (tasks === ticked) return "your edit of TASKS.md";
  const what = count(tasks - ticked, "new task");
  return `${what} in ${count(open.length, "milestone")} of TASKS.md`;
}
