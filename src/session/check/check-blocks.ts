import type { HomeIssue } from "../../fs-protocol/home/home-issue.ts";

/** A file of prose to which logs add blocks: what stands between them is nobody's business. */
export interface BlocksFile {
  readonly path: string;
  readonly text: string;
  /** Whole blocks, each as often as the logs say it. */
  readonly expected: readonly string[];
}

/** Whether each block that the logs say is there. */
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

/** How often a block begins at the start of a line. */
function occurrences(text: string, block: string): number {
  let count = 0;
  for (let at = text.indexOf(block); at >= 0; at = text.indexOf(block, at + block.length)) {
    if (at === 0 || text[at - 1] === "\n") count += 1;
  }
  return count;
}
