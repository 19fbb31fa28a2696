import type { RootContent } from "mdast";
import { parseMarkdown } from "../tasks/tasks-scan.ts";
import { cleaned, contentOf, sourceOf, type TasksSource } from "../tasks/tasks-sections.ts";

/**
 * Reads the problems in a feedback file: each list item, and each paragraph outside of a list. A
 * block that follows a paragraph and is neither, such as code, belongs to it. A heading below the
 * title names the place of the problems under it and is prefixed to each.
 */
export function readProblems(text: string): readonly string[] {
  const parsed = parseMarkdown(text);
  // Too large for the parser: treat it as one problem.
  if (!parsed.ok) return [text.trim()];
  const { nodes, source } = parsed.value;
  const problems: string[] = [];
  let place = "";
  for (const node of nodes) {
    if (node.type === "heading") place = node.depth === 1 ? "" : cleaned(contentOf(node, source));
    else if (node.type === "list" || node.type === "paragraph" || problems.length === 0) {
      problems.push(...entriesOf(node, source).map((entry) => placed(place, entry)));
    } else problems.push(`${problems.pop() ?? ""}\n\n${sourceOf(node, source)}`);
  }
  return problems.filter((problem) => problem !== "");
}

function placed(place: string, entry: string): string {
  return place === "" || entry === "" ? entry : `${place}: ${entry}`;
}

const MARK = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/u;

function entriesOf(node: RootContent, source: TasksSource): readonly string[] {
  if (node.type !== "list") return [sourceOf(node, source).trim()];
  return node.children.map((item) => {
    const [first = "", ...rest] = sourceOf(item, source).split("\n");
    const inside = rest.map((line) => line.replace(/^ {1,4}/u, ""));
    return [first.replace(MARK, ""), ...inside].join("\n").trim();
  });
}
