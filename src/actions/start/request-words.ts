import { TASKS_PER_MILESTONE_ADVISED_MAX } from "../../base/limits.ts";
import type { CompiledRequest } from "../../session/rules/compile-request.ts";
import { doneMarks } from "../../fs-protocol/request/done-marks.ts";
import type { Request } from "./read-request.ts";
import { count, sentence } from "../../base/words/sentence.ts";

const NAMES_MAX = 3;

/**
 * Describes how a request was interpreted, in one line, followed by what a person may have meant
 * differently.
 */
export function requestWords({ plan, bytes }: Pick<Request, "plan" | "bytes">): readonly string[] {
  const lines = plan === undefined ? proseWords(bytes) : planWords(plan);
  return lines.map((line) => sentence("ask", line).text);
}

function proseWords(bytes: Uint8Array): readonly string[] {
  const done = doneMarks(new TextDecoder().decode(bytes));
  const marked =
    `wisp: ${count(done, "mark")} in it ${done === 1 ? "says" : "say"} that something is already done: ` +
    "the planner knows that only from the document";
  return ["Read as prose: the planner makes the plan.", ...(done === 0 ? [] : [marked])];
}

function planWords(plan: CompiledRequest): readonly string[] {
  const { milestones, ticks } = plan.plan;
  const tasks = milestones.reduce((sum, milestone) => sum + milestone.tasks.length, 0);
  const done = ticks.reduce((sum, milestone) => sum + milestone.tasks.length, 0);
  const sizes = `${count(milestones.length, "milestone")}, ${count(tasks, "task")}`;
  const already = done === 0 ? "" : `, ${String(done)} of them done`;
  const taken = `Read as ${formWords(plan.form, milestones.length)}: ${sizes}${already}; it is the plan as it is.`;
  const remarks = plan.remarks.map((remark) => `wisp: ${remark}`);
  return [taken, ...remarks, ...bareWords(plan), ...looseWords(plan), ...oversizedWords(plan)];
}

function formWords(form: CompiledRequest["form"], milestones: number): string {
  switch (form) {
    case "stories":
      return milestones === 1 ? "1 user story" : `${String(milestones)} user stories`;
    case "tasks":
      return "a TASKS.md";
    case "list":
      return "a task list";
    case "checklist":
      return "a checklist";
    case "spec-kit":
      return "a tasks.md of spec-kit";
    case "kiro":
      return "a tasks.md of Kiro";
    case "openspec":
      return "a tasks.md of an OpenSpec change";
    case "bmad":
      return "a BMAD story";
    case "ralphex":
      return "a plan of ralphex";
    case "taskmaster":
      return "a tasks.json of Taskmaster";
  }
}

function bareWords({ bare }: CompiledRequest): readonly string[] {
  if (bare.length === 0) return [];
  const more = bare.length - NAMES_MAX;
  const named = bare.slice(0, NAMES_MAX).map((name) => `"${name}"`);
  const names = [...named, ...(more > 0 ? [`${String(more)} more`] : [])].join(", ");
  const what =
    bare.length === 1
      ? `1 story has no acceptance criteria, and becomes a single task: ${names}`
      : `${String(bare.length)} stories have no acceptance criteria, and each becomes a single task: ${names}`;
  return [`wisp: ${what} (--plan has the planner plan them)`];
}

function looseWords({ loose, form }: CompiledRequest): readonly string[] {
  const [first] = loose;
  if (first === undefined) return [];
  const where = form === "stories" ? "among the criteria of no story" : "in no milestone";
  const verb = loose.length === 1 ? "stands" : "stand";
  const boxes = loose.length === 1 ? "1 box" : `${String(loose.length)} boxes`;
  return [
    `wisp: ${boxes} of the request ${verb} ${where}, and so not in the plan: line ${String(first)}` +
      (loose.length === 1 ? "" : " is the first"),
  ];
}

function oversizedWords({ oversized }: CompiledRequest): readonly string[] {
  const max = String(TASKS_PER_MILESTONE_ADVISED_MAX);
  if (oversized.length > NAMES_MAX) {
    const milestones = `${String(oversized.length)} milestones have more than ${max} tasks`;
    return [`wisp: ${milestones}; they are used as they are`];
  }
  return oversized.map(
    ({ name, count: size }) =>
      `wisp: "${name}" has ${String(size)} tasks, more than ${max}; it is used as it is`,
  );
}
