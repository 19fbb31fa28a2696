import { PLAN_DIGEST_SHOWN_CHARS } from "../../base/limits.ts";
import type { Budget } from "../../fs-protocol/home/budget.ts";
import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import type { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import type { PlannerRecord } from "../../fs-protocol/records/planner-log.ts";
import type { SupervisorRecord } from "../../fs-protocol/records/supervisor-log.ts";
import { quoted, shortSha } from "../../workspace/session/describe-unit.ts";
import { formatDuration } from "../../base/words/format-duration.ts";
import { renderBuilder } from "./render-builder.ts";
import { renderCommon, renderRestored } from "./render-common.ts";
import { describeFinding, renderReviewer, renderTester } from "./render-judge.ts";
import { renderQuestion } from "./render-question.ts";
import { because, count, sentence, type Sentence } from "../../base/words/sentence.ts";

/** A record as one sentence for people; undefined for records that only programs need. */
export function renderRecord(entry: LogRecord): Sentence | undefined {
  switch (entry.log) {
    case "planner":
      return renderPlanner(entry.record);
    case "builder":
      return renderBuilder(entry.record);
    case "reviewer":
      return renderReviewer(entry.record);
    case "tester":
      return renderTester(entry.record);
    case "supervisor":
      return renderSupervisor(entry.record);
    case "human":
      return renderHuman(entry.record);
  }
}

function renderPlanner(record: PlannerRecord): Sentence | undefined {
  if (record.kind !== "plan.end") return renderCommon(record);
  switch (record.outcome) {
    case "plan": {
      const milestones = record.milestones ?? [];
      const list = milestones.map(({ name, tasks }) => `${quoted(name)} ${String(tasks.length)}`);
      const tasks = milestones.reduce((sum, milestone) => sum + milestone.tasks.length, 0);
      const sizes = `${count(milestones.length, "milestone")}, ${count(tasks, "task")}`;
      return sentence("good", `planned ${sizes}: ${list.join(", ")}`);
    }
    case "keep":
      return sentence("plain", `keeps the plan${because(record.reason)}`);
    case "gaveup":
      return sentence("bad", `gave up planning${because(record.reason)}`);
    case "needs_input":
    case "blocked":
      return renderQuestion(record);
  }
}

function renderSupervisor(record: SupervisorRecord): Sentence | undefined {
  switch (record.kind) {
    case "supervisor.start":
      return sentence("faint", `supervises as process ${String(record.pid)}`);
    case "supervisor.end":
      return sentence("plain", `ends${because(record.reason)}`);
    case "role.spawn":
      return sentence("faint", `starts the ${record.role}, process ${String(record.pid)}`);
    case "role.exit":
      return sentence(
        record.code === 0 ? "faint" : "bad",
        `the ${record.role} ended${because(record.reason)}`,
      );
    case "lease":
      return undefined;
    case "notice":
      return sentence("faint", `tells you by ${record.via}: ${record.about}`);
    case "role.failed":
      return sentence("bad", `the ${record.role} failed for good${because(record.reason)}`);
    case "file.restored":
      return renderRestored(record);
    case "note":
      return sentence("plain", record.text);
  }
}

function renderHuman(record: HumanRecord): Sentence {
  switch (record.kind) {
    case "update":
      return sentence("plain", `changed the request: version ${String(record.v)}`);
    case "edit": {
      const tasks = record.milestones.reduce((sum, milestone) => sum + milestone.tasks.length, 0);
      const sizes = `${count(record.milestones.length, "milestone")}, ${count(tasks, "task")}`;
      const what = record.base === undefined ? "wrote the plan" : "edited TASKS.md";
      return sentence("plain", `${what}: ${sizes}`);
    }
    case "answer":
      return sentence("plain", `answered ${record.question}: ${record.text}`);
    case "pause":
      return sentence("plain", "asked for a pause");
    case "resume":
      return sentence("plain", "asked to resume");
    case "stop":
      return sentence("plain", "asked to stop");
    case "add":
      return sentence("plain", `added ${describeFinding(record.finding)}`);
    case "dismiss":
      return sentence("plain", `dismissed ${record.id}${because(record.why)}`);
    case "done":
      return sentence("good", `shipped the work at ${shortSha(record.at)}${because(record.url)}`);
    case "abandon":
      return sentence("plain", "abandoned the session");
    case "reject":
      return sentence("bad", "rejected the work");
    case "revise":
      return sentence("plain", `continues as revision ${String(record.revision)}`);
    case "plan.approve":
      return sentence(
        "plain",
        `approved the plan ${record.plan.slice(0, PLAN_DIGEST_SHOWN_CHARS)}`,
      );
    case "approve":
      return sentence("plain", "approved the result");
    case "budget":
    case "budget.give":
    case "budget.grant":
      return sentence("plain", budgetWords(record));
    case "restart":
      return sentence("plain", `asked to restart the ${record.role}`);
    case "moved":
      return sentence("plain", `moved the session to ${record.to}`);
  }
}

function budgetWords(
  record: Extract<HumanRecord, { readonly kind: "budget" | "budget.give" | "budget.grant" }>,
): string {
  switch (record.kind) {
    case "budget":
      return `set the budget of ${BUDGET_OF[record.of]}: ${limitWords(record.limits)}`;
    case "budget.give":
      return `gives ${limitWords(record.amounts)} of its budget to ${record.to}`;
    case "budget.grant":
      return `is granted ${limitWords(record.amounts)} by ${record.from}`;
  }
}

const BUDGET_OF = { session: "the session", milestone: "each milestone" } as const;

function limitWords({ durationMs, ...others }: Budget): string {
  const words = Object.entries(others).map(([name, value]) => `${name}=${String(value)}`);
  const duration = durationMs === undefined ? [] : [`duration=${formatDuration(durationMs)}`];
  return [...words, ...duration].join(", ");
}
