import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { kindOfItem } from "../../fs-protocol/records/item-id.ts";
import { findingId, foldSpace, isAnchor } from "../../fs-protocol/findings/finding-id.ts";

/** Lines before and after the one that an item points at which count as the lines that it is about. */
const AROUND_LINES = 5;

/** A fix as it is on the branch. */
export interface FixRange {
  readonly before: Oid;
  readonly after: Oid;
}

/**
 * Whether a fix left the lines as they were that an item is about: the line that its id was made from,
 * and those around it. Where there is no such line any more its whole file counts; an item without a
 * file is never left as it was by a fix that changed something.
 */
export async function leavesLines(
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
