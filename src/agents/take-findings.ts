import { FINDING_TEXT_CHARS_MAX, LINE_BYTES_MAX } from "../base/limits.ts";
import type { Oid } from "../base/oid.ts";
import type { Clone } from "../base/repo.ts";
import { cleanText } from "../fs-protocol/clean-text.ts";
import type { Finding, Level } from "../fs-protocol/finding.ts";
import { findingId, type FindingContent } from "../fs-protocol/finding-id.ts";
import type { FindingsBlock } from "../fs-protocol/findings-judge.ts";
import type { RawFinding } from "../fs-protocol/raw-finding.ts";

/** Of a line; the rest is for the other fields of the record. */
const FINDINGS_BYTES_MAX = LINE_BYTES_MAX / 2;

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
 * repeated review is the same finding. One output that says a thing twice says it once; two things
 * about lines of the same text are told apart by counting them.
 */
export async function takeFindings(
  blocks: readonly FindingsBlock[],
  finder: Finder,
): Promise<readonly Finding[]> {
  const taken = new Map<string, Finding>();
  const found = blocks.flatMap((block) => block.findings.map((raw) => ({ raw, block })));
  for (const { raw, block } of found) {
    const anchor = await anchorOf(finder, raw);
    const finding = takeOne(raw, block, { finder, anchor, taken });
    taken.set(finding.id, finding);
  }
  return fitted([...taken.values()]);
}

/** All of them stand in one record, which is a line: where texts are too long for it they are cut. */
function fitted(findings: readonly Finding[]): readonly Finding[] {
  let charsMax = FINDING_TEXT_CHARS_MAX;
  let fitting = findings;
  while (encodedBytes(fitting) > FINDINGS_BYTES_MAX && charsMax > 1) {
    charsMax = Math.floor(charsMax / 2);
    const cut = (text: string) => cleanText(text, { charsMax, lines: "many" });
    fitting = findings.map((finding) => ({
      ...finding,
      issue: cut(finding.issue),
      suggestion: cut(finding.suggestion),
      command: finding.command === undefined ? undefined : cut(finding.command),
    }));
  }
  return fitting;
}

/** As JSON in a quoted field: what JSON escapes is escaped again. */
function encodedBytes(findings: readonly Finding[]): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(findings)));
}

/** How many findings of the blocks were more than a turn may have. */
export function omittedCount(blocks: readonly FindingsBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.omittedCount, 0);
}

interface Taking {
  readonly finder: Finder;
  readonly anchor: string | undefined;
  readonly taken: ReadonlyMap<string, Finding>;
}

function takeOne(raw: RawFinding, block: FindingsBlock, taking: Taking): Finding {
  const { kind, reviewer, level } = taking.finder;
  const { category, brief, file, line, issue, suggestion, command } = raw;
  return {
    id: freeId({ kind, category, file, anchor: taking.anchor, brief }, raw, taking.taken),
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

/** The id of a finding, or, where another finding of this output has it, the next of its kind. */
function freeId(
  content: Omit<FindingContent, "occurrence">,
  { line, brief }: RawFinding,
  taken: ReadonlyMap<string, Finding>,
): string {
  for (let occurrence = 1; ; occurrence++) {
    const id = findingId({ ...content, occurrence });
    const other = taken.get(id);
    if (other === undefined || (other.line === line && other.brief === brief)) return id;
  }
}

async function anchorOf(
  { clone, at }: Finder,
  { file, line }: RawFinding,
): Promise<string | undefined> {
  if (file === undefined || line === undefined) return undefined;
  const shown = await clone.show(at, file);
  return shown.ok ? shown.value?.split("\n")[line - 1] : undefined;
}
