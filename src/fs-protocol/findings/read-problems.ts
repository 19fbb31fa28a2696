import type { RootContent } from "mdast";
import { parseMarkdown } from "../tasks/tasks-scan.ts";
import { cleaned, contentOf, sourceOf, type TasksSource } from "../tasks/tasks-sections.ts";

/**
 * The problems in a file of feedback: each item of a list, and each paragraph outside of one. What follows
 * a paragraph and is no text of its own, such as a block of code, belongs to it. A heading below the title
 * says where the problems under it are: it stands before each.
 */
export function readProblems(text: string): readonly string[] {
  const parsed = parseMarkdown(text);
  // Too large for the parser: one problem, then.
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
