import type { List, RootContent } from "mdast";
import { parseMarkdown } from "../tasks/tasks-scan.ts";
import { lineOf, type TasksSource } from "../tasks/tasks-sections.ts";

/** A range of lines, from 1, both ends included. */
export interface LineRange {
  readonly line: number;
  readonly lastLine: number;
}

/**
 * Finds the boxes of a document outside of the given lines: a person may take them for work, but
 * the plan does not contain them. Boxes nested below a box belong to it.
 *
 * @returns their line numbers, in order
 */
export function looseBoxes(text: string, ranges: readonly LineRange[]): readonly number[] {
  const parsed = parseMarkdown(text);
  if (!parsed.ok) return [];
  const { nodes, source } = parsed.value;
  return boxLines(nodes, source).filter(
    (at) => !ranges.some(({ line, lastLine }) => line <= at && at <= lastLine),
  );
}

function boxLines(nodes: readonly RootContent[], source: TasksSource): readonly number[] {
  return nodes.flatMap((node) => (node.type === "list" ? outermost(node, source) : []));
}

function outermost(list: List, source: TasksSource): readonly number[] {
  return list.children.flatMap((item) =>
    source.boxes.has(item)
      ? [lineOf(item)]
      : item.children.flatMap((child) => (child.type === "list" ? outermost(child, source) : [])),
  );
}
