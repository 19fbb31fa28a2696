import type { HomeIssue } from "../../fs-protocol/home/home-issue.ts";

/**
 * A text file to which blocks are added that follow from logs. Text between the blocks is not
 * checked.
 */
export interface BlocksFile {
  readonly path: string;
  readonly text: string;
  /** The complete blocks, each as often as the logs record it. */
  readonly expected: readonly string[];
}

/** Reports each block that the logs record and the file lacks. */
export function checkBlocks({ path, text, expected }: BlocksFile): readonly HomeIssue[] {
  const counts = new Map<string, number>();
  for (const block of expected) counts.set(block, (counts.get(block) ?? 0) + 1);
  return [...counts].flatMap(([block, count]) => {
    const missing = Math.max(0, count - occurrences(text, block));
    const [title = ""] = block.split("\n");
    const issue: HomeIssue = { kind: "line-missing", path, text: title };
    return Array<HomeIssue>(missing).fill(issue);
  });
}

/** Counts how often a block occurs at the start of a line. */
function occurrences(text: string, block: string): number {
  let count = 0;
  for (let at = text.indexOf(block); at >= 0; at = text.indexOf(block, at + block.length)) {
    if (at === 0 || text[at - 1] === "\n") count += 1;
  }
  return count;
}
