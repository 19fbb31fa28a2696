import { TASKS_PER_MILESTONE_ADVISED_MAX } from "../../base/limits.ts";
import type { Milestone, Task, TasksDocument } from "../../fs-protocol/tasks/tasks-md.ts";

/** Something about a plan that a person should look at before approving it. */
export interface PlanRemark {
  readonly kind: "placeholder" | "vague" | "no-acceptance" | "oversized";
  readonly milestone: string;
  /** From 1; undefined if it is about the whole milestone. */
  readonly task: number | undefined;
  /** The rest of a sentence whose subject is the milestone or the task. */
  readonly says: string;
}

/** Looks for what makes a plan hard to carry out. Only the text is read: no engine is asked. */
export function lintPlan({ milestones }: TasksDocument): readonly PlanRemark[] {
  return milestones.flatMap((milestone) => [
    ...oversized(milestone),
    ...withoutAcceptance(milestone),
    ...milestone.tasks.flatMap((task) => taskRemarks(milestone, task)),
  ]);
}

function oversized({ name, tasks }: Milestone): readonly PlanRemark[] {
  if (tasks.length <= TASKS_PER_MILESTONE_ADVISED_MAX) return [];
  const says = `has ${String(tasks.length)} tasks; ${String(TASKS_PER_MILESTONE_ADVISED_MAX)} or fewer are advised`;
  return [{ kind: "oversized", milestone: name, task: undefined, says }];
}

/** Words of a sentence that says how one can tell that the work is done. */
const ACCEPTANCE =
  /\b(?:tests?|tested|verif(?:y|ies|ied)|accept(?:s|ed|ance)?|expect(?:s|ed)?|assert(?:s|ed)?|checks?|must|should|returns?|prints?|shows?|fails?|pass(?:es)?|rejects?|exits?|responds?|when|so that|until)\b/iu;

function withoutAcceptance({ name, tasks }: Milestone): readonly PlanRemark[] {
  const texts = tasks.flatMap(({ text, steps }) => [text, ...steps]);
  if (texts.some((text) => ACCEPTANCE.test(text))) return [];
  const says = "does not say how one can tell that it is done";
  return [{ kind: "no-acceptance", milestone: name, task: undefined, says }];
}

const PLACEHOLDER =
  /\b(?:TBD|TODO|FIXME|XXX|lorem ipsum|to be (?:decided|defined|determined))\b|\?\?\?|<(?:your|insert|fill)[^<>]{0,80}>/iu;

/** Words that say that something is done, but not what. */
const NAMES_NOTHING =
  /^(?:a|all|and|any|as|better|bugs?|change|changes|clean|code|do|everything|finish|fix|fixes|handle|implement|improve|improvements?|issues?|it|make|misc|needed|of|other|polish|refactor|rest|some|stuff|tests?|the|things?|up|update|work|write|add|etc)$/iu;

function taskRemarks({ name }: Milestone, task: Task): readonly PlanRemark[] {
  const { ordinal, text, steps, category } = task;
  const at = { milestone: name, task: ordinal } as const;
  const found = [text, ...steps].map((one) => PLACEHOLDER.exec(one)?.[0]).find(isSet);
  if (found !== undefined) {
    return [
      { kind: "placeholder", ...at, says: `contains the placeholder ${JSON.stringify(found)}` },
    ];
  }
  const plain = category === undefined ? text : text.replace(`[${category}]`, "");
  const words = plain.match(/[\p{L}\p{N}_'-]+/gu) ?? [];
  const isVague = steps.length === 0 && words.every((word) => NAMES_NOTHING.test(word));
  return isVague
    ? [{ kind: "vague", ...at, says: "names nothing that is to be built or changed" }]
    : [];
}

function isSet<T>(value: T | undefined): value is T {
  return value !== undefined;
}
