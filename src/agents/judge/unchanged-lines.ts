import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { kindOfItem } from "../../fs-protocol/records/item-id.ts";
import { findingId, foldSpace, isAnchor } from "../../fs-protocol/findings/finding-id.ts";

/** How many lines before and after an item's line count as the lines that it is about. */
const AROUND_LINES = 5;

/** The commits of a fix on the branch. */
export interface FixRange {
  readonly before: Oid;
  readonly after: Oid;
}

/**
 * Whether a fix left the lines unchanged that an item is about: the line that its id was made from, and those
 * around it. If that line no longer exists, the whole file counts. An item without a file counts as unchanged
 * only if the fix changed nothing at all.
 */
export async function leavesLinesUnchanged(
  clone: Pick<Clone, "show">,
  item: Finding,
  { before, after }: FixRange,
): Promise<boolean> {
  if (before === after) return true;
  if (item.file === undefined) return false;
  const was = need(await clone.show(before, item.file));
  const is = need(await clone.show(after, item.file));
  if (was === is) return true;
  if (was === undefined || is === undefined) return false;
  const lines = was.split("\n");
  const at = lines.findIndex((_, index) => isAnchorOf(item, lines, index));
  if (at === -1) return false;
  const around = lines.slice(Math.max(0, at - AROUND_LINES), at + AROUND_LINES + 1).join("\n");
  return `\n${is}\n`.includes(`\n${around}\n`);
}

function isAnchorOf(
  { id, category, file, brief }: Finding,
  lines: readonly string[],
  index: number,
): boolean {
  const anchor = lines[index] ?? "";
  if (!isAnchor(anchor)) return false;
  const same = lines.slice(0, index + 1).filter((other) => foldSpace(other) === foldSpace(anchor));
  return (
    findingId({ kind: kindOfItem(id), category, file, anchor, brief, occurrence: same.length }) ===
    id
  );
}
