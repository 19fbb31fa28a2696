import { sentence } from "../../base/words/sentence.ts";
import { count } from "../../base/words/sentence.ts";
import type { PlanView, ShownMilestone } from "./plan-view.ts";

/** The plan as a Mermaid flowchart: milestones in the order in which they are built, with their tasks. */
export function planGraph({ milestones }: PlanView): string {
  const nodes = milestones.map((milestone, index) => [
    `  m${String(index + 1)}["${label(milestone)}"]`,
    ...(milestone.state === "done" ? [`  class m${String(index + 1)} done`] : []),
    ...(index === 0 ? [] : [`  m${String(index)} --> m${String(index + 1)}`]),
  ]);
  return [
    "flowchart TD",
    ...nodes.flat(),
    ...(milestones.some(({ state }) => state === "done") ? ["  classDef done opacity:0.5"] : []),
  ].join("\n");
}

function label({ name, tasks }: ShownMilestone): string {
  const open = tasks.filter(({ ticked }) => !ticked).length;
  const size =
    open === tasks.length
      ? count(open, "task")
      : `${String(open)} of ${count(tasks.length, "task")} left`;
  return [...folded(sentence("plain", name).text).map(escaped), size].join("<br>");
}

/** The width of a box: a diagram with long names still fits a page, and an ordinary line 80 columns. */
const LABEL_CHARS_MAX = 48;

/** A name in lines that end between words, as far as there are any. */
function folded(name: string): readonly string[] {
  const lines: string[] = [];
  for (const word of name.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= LABEL_CHARS_MAX) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

/** Mermaid takes entities in labels; quotes, tags and backslashes have a meaning. */
function escaped(name: string): string {
  return name.replace(/[^\p{L}\p{N} .,:()/_-]/gu, (character) => {
    return `#${String(character.codePointAt(0))};`;
  });
}
