import type { Oid } from "../base/oid.ts";
import type { Clone } from "../base/repo.ts";
import type { Finding, Level } from "../fs-protocol/finding.ts";
import { findingId } from "../fs-protocol/finding-id.ts";
import type { FindingsBlock } from "../fs-protocol/findings-judge.ts";
import type { RawFinding } from "../fs-protocol/raw-finding.ts";

/** Who finds, and where. */
export interface Finder {
  readonly kind: "finding" | "bug";
  /** When a block does not name its reviewer or level. */
  readonly reviewer: string;
  readonly level: Level;
  readonly clone: Clone;
  readonly at: Oid;
}

/**
 * Findings as records hold them: with an id made from the content, so that the same remark from a
 * repeated review is the same finding. One output that names a thing twice says it once.
 */
export async function takeFindings(
  blocks: readonly FindingsBlock[],
  finder: Finder,
): Promise<readonly Finding[]> {
  const taken = new Map<string, Finding>();
  const found = blocks.flatMap((block) => block.findings.map((raw) => ({ raw, block })));
  for (const { raw, block } of found) {
    const finding = await takeOne(raw, block, finder);
    if (!taken.has(finding.id)) taken.set(finding.id, finding);
  }
  return [...taken.values()];
}

async function takeOne(
  raw: RawFinding,
  block: FindingsBlock,
  { kind, reviewer, level, clone, at }: Finder,
): Promise<Finding> {
  const { category, brief, file, line, issue, suggestion, command } = raw;
  const anchor = await anchorOf(clone, at, file, line);
  return {
    id: findingId({ kind, category, file, anchor, brief }),
    level: raw.level ?? block.level ?? level,
    reviewer: block.reviewer ?? reviewer,
    category,
    brief,
    file,
    line,
    issue,
    suggestion,
    command,
  };
}

async function anchorOf(
  clone: Clone,
  at: Oid,
  file: string | undefined,
  line: number | undefined,
): Promise<string | undefined> {
  if (file === undefined || line === undefined) return undefined;
  const shown = await clone.show(at, file);
  return shown.ok ? shown.value?.split("\n")[line - 1] : undefined;
}
