import type { Finding } from "../../fs-protocol/finding.ts";
import type { SessionState } from "../../fs-protocol/session-state.ts";
import type { BuilderStep } from "../../streams/step.ts";
import { answerTo } from "../questions.ts";
import type { RoleContext } from "../role-context.ts";
import { describeItem } from "../describe-item.ts";
import { openerOf } from "../../streams/seen.ts";

/** The prompt of a build turn: references, not pasted files. */
export function buildPrompt(
  { templates, home }: RoleContext<"builder">,
  state: SessionState,
  { milestone, attempt, unit }: Extract<BuilderStep, { kind: "build" }>,
  tasksFile: string,
): string {
  const { builder, human } = state;
  const done = builder.ticks.get(milestone.name) ?? new Set<number>();
  const tasks = milestone.tasks.map(
    (task, index) => `- [${done.has(index + 1) ? "x" : " "}] ${task}`,
  );
  const trouble = builder.trouble?.m === milestone.name ? builder.trouble : undefined;
  return templates.render("build", {
    request: home.request,
    milestone: milestone.name,
    tasks: tasks.join("\n"),
    tasks_file: tasksFile,
    attempt: String(attempt),
    trouble:
      trouble === undefined
        ? ""
        : `The attempt before this one did not count (${trouble.outcome}): ${trouble.reason}`,
    answers: answerTo(unit, builder.questions, human.answers),
  });
}

/** The prompt of a fix turn. */
export function fixPrompt(
  { templates, home }: RoleContext<"builder">,
  state: SessionState,
  item: Finding,
): string {
  const { builder } = state;
  const opener = state[openerOf(item.id)];
  const attempts = builder.fixes.get(item.id) ?? [];
  const last = attempts.at(-1);
  const refusal = opener.refusals.get(item.id);
  const reasons = [
    last?.outcome === "failed" ? `The last attempt failed: ${last.reason ?? ""}` : "",
    refusal === undefined ? "" : `The last fix was not accepted: ${refusal}`,
  ];
  return templates.render("fix", {
    request: home.request,
    progress: home.progress,
    item: describeItem(item),
    id: item.id,
    attempt: String(attempts.length + 1),
    trouble: reasons.filter((reason) => reason !== "").join("\n"),
    answers: answerTo(
      `fix:${item.id}:${String(attempts.length + 1)}`,
      builder.questions,
      state.human.answers,
    ),
  });
}
