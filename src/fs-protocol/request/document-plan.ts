import {
  MILESTONE_NAME_CHARS_MAX,
  TASK_TEXT_CHARS_MAX,
  TASKS_PER_MILESTONE_MAX,
} from "../../base/limits.ts";
import { evenParts } from "../tasks/even-parts.ts";
import { cleaned } from "../tasks/tasks-sections.ts";
import { renderTasks } from "../tasks/tasks-render.ts";
import type { DocumentMilestone, DocumentTask } from "./task-document.ts";

/**
 * Writes the plan of a document as the text of a TASKS.md. What is too long for a name or a task
 * continues below it, milestones with too many tasks become several, and names that occur twice
 * are numbered, so nothing is lost or refused. What is no task is quoted: nothing in a quotation is
 * parsed as part of the plan.
 */
export function documentPlan(milestones: readonly DocumentMilestone[]): string {
  const names = new Set<string>();
  return milestones
    .flatMap(inParts)
    .map((milestone) => milestoneText(fitted(milestone, names)))
    .join("\n");
}

/** A milestone's text; `about` is quoted below its heading. */
export function milestoneText({ name, about, tasks }: DocumentMilestone): string {
  const ticked = tasks.flatMap((task, index) => (task.ticked ? [index + 1] : []));
  const text = renderTasks([{ name, tasks }], new Map([[name, new Set(ticked)]]));
  const [heading = "", ...rest] = text.split("\n");
  const quoted = about.map((line) => `> ${quotable(line)}`.trimEnd());
  return [heading, ...(quoted.length === 0 ? [] : ["", ...quoted]), ...rest].join("\n");
}

function inParts({ name, about, tasks }: DocumentMilestone): readonly DocumentMilestone[] {
  return evenParts(tasks, TASKS_PER_MILESTONE_MAX).map((part, index) => ({
    name,
    about: index === 0 ? about : [],
    tasks: part,
  }));
}

function fitted({ name, about, tasks }: DocumentMilestone, names: Set<string>): DocumentMilestone {
  const whole = name === "" ? "Tasks" : name;
  const [short, rest] = cut(whole, MILESTONE_NAME_CHARS_MAX - NUMBER_CHARS);
  const free = freeName(short, names);
  names.add(free);
  const more = rest === "" ? [] : [rest, ""];
  return { name: free, about: trimmed([...more, ...about]), tasks: tasks.map(fittedTask) };
}

/** Room for ` (5000)`. */
const NUMBER_CHARS = 7;

/** The name itself, or the first unused one of `name (2)`, `name (3)`, …. */
function freeName(name: string, names: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name} (${String(number)})`;
    if (!names.has(numbered)) return numbered;
  }
}

function fittedTask({ text, steps, ticked }: DocumentTask): DocumentTask {
  const [short, rest] = cut(text, TASK_TEXT_CHARS_MAX);
  const parts = [rest, ...steps].flatMap(inLines);
  return { text: short, steps: parts, ticked };
}

function inLines(step: string): readonly string[] {
  const [short, rest] = cut(step, TASK_TEXT_CHARS_MAX);
  if (short === "") return [];
  return rest === "" ? [short] : [short, ...inLines(rest)];
}

/** Cuts a text between two words, or else between two characters; the rest may be empty. */
function cut(text: string, charsMax: number): readonly [string, string] {
  if (text.length <= charsMax) return [text, ""];
  const space = text.lastIndexOf(" ", charsMax);
  const inside = space > charsMax / 2 ? space : charsMax;
  // A pair of surrogates is one character.
  const at = /[\uD800-\uDBFF]/.test(text.charAt(inside - 1)) ? inside - 1 : inside;
  return [text.slice(0, at).trimEnd(), text.slice(at).trimStart()];
}

/** Without empty lines around them, and with only one between two others. */
function trimmed(lines: readonly string[]): readonly string[] {
  const isBlank = (line: string | undefined) => (line ?? "").trim() === "";
  return lines.filter(
    (line, index) =>
      !isBlank(line) ||
      (!isBlank(lines[index + 1]) && index > 0 && !lines.slice(0, index).every(isBlank)),
  );
}

/** Deeper indentation would be refused as nested too deeply, and says nothing in a quotation. */
const INDENT_MAX = 24;

function quotable(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0].replaceAll("\t", "    ").length ?? 0;
  return `${" ".repeat(Math.min(indent, INDENT_MAX))}${cleaned(line)}`;
}
