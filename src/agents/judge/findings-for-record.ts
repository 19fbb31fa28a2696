import { FINDING_TEXT_CHARS_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { Level, type Finding } from "../../fs-protocol/records/finding.ts";
import { findingId, foldSpace, isAnchor } from "../../fs-protocol/findings/finding-id.ts";
import type { FindingsBlock } from "../../fs-protocol/findings/findings-judge.ts";
import type { RawFinding } from "../../fs-protocol/findings/raw-finding.ts";

/** The part of a record's line that findings may use; the rest is for its other fields. */
const FINDINGS_BYTES_MAX = 512 * 1024;

/** Who reported the findings, and about which tree. */
export interface Finder {
  readonly kind: "finding" | "bug";
  /** The name that wisp asked under, whatever name a block gives itself. */
  readonly reviewer: string;
  /** The level of findings that name none, and the heaviest that any finding gets. */
  readonly level: Level;
  readonly clone: Clone;
  readonly at: Oid;
  /** The open items, by id: a finding that names one of these ids, in the same file, is that item. */
  readonly known?: ReadonlyMap<string, Finding> | undefined;
}

/**
 * Gives findings the form that records hold. The id is made from the content, so that the same remark from a
 * repeated review is the same finding. Duplicates within one output become one finding, different remarks about
 * one line are joined, and lines with the same text are distinguished by their order in the file.
 */
export async function identifyFindings(
  blocks: readonly Pick<FindingsBlock, "findings">[],
  finder: Finder,
): Promise<readonly Finding[]> {
  const byId = new Map<string, Finding>();
  for (const raw of blocks.flatMap(({ findings }) => findings)) {
    const anchor = await anchorOf(finder, raw);
    const finding = identifyFinding(raw, { finder, anchor, byId });
    const other = byId.get(finding.id);
    byId.set(finding.id, other === undefined ? finding : joinFindings(other, finding));
  }
  return fitFindings([...byId.values()]);
}

/** Joins two remarks about one thing, under the heavier level; equal texts are kept once. */
export function joinFindings(one: Finding, other: Finding): Finding {
  const { level } = weightOf(one.level) <= weightOf(other.level) ? one : other;
  // A computed finding stays computed when an engine reports the same.
  const computed = one.computed ?? other.computed;
  const by = { reviewer: one.reviewer, level, ...(computed === undefined ? {} : { computed }) };
  if (one.brief === other.brief) return { ...other, ...by };
  const cut = (text: string) =>
    cleanText(text, { charsMax: FINDING_TEXT_CHARS_MAX, lines: "many" });
  return {
    ...one,
    ...by,
    issue: cut(`${one.issue}\n\nAlso: ${other.brief}\n${other.issue}`),
    suggestion: cut(`${one.suggestion}\n${other.suggestion}`.trim()),
    command: one.command ?? other.command,
  };
}

/** The rank of a level; the heaviest is 0. */
export function weightOf(level: Level): number {
  return Level.options.indexOf(level);
}

/**
 * Fits findings into one record, which is a single line: texts that are too long for it are cut, and
 * if there are still too many findings the last ones are dropped.
 */
export function fitFindings(findings: readonly Finding[]): readonly Finding[] {
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
      output: finding.output === undefined ? undefined : cut(finding.output),
    }));
  }
  while (encodedBytes(fitting) > FINDINGS_BYTES_MAX) fitting = fitting.slice(0, -1);
  return fitting;
}

/** The size as JSON in a quoted field, which escapes the JSON a second time. */
function encodedBytes(findings: readonly Finding[]): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(findings)));
}

/** How many findings exceeded the limit of a turn. */
export function omittedCount(blocks: readonly FindingsBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.omittedCount, 0);
}

interface Anchor {
  /** The line of code that the finding points at. */
  readonly text: string;
  /** Its position among the lines with the same text in its file, from 1. */
  readonly ordinal: number;
}

interface IdContext {
  readonly finder: Finder;
  readonly anchor: Anchor | undefined;
  /** The findings of the same output so far, by id. */
  readonly byId: ReadonlyMap<string, Finding>;
}

function identifyFinding(raw: RawFinding, context: IdContext): Finding {
  const { reviewer, level } = context.finder;
  const { category, brief, file, line, issue, suggestion, command } = raw;
  const own = raw.level ?? level;
  return {
    id: knownId(raw, context.finder) ?? contentId(raw, context),
    level: weightOf(own) < weightOf(level) ? level : own,
    reviewer,
    category,
    brief,
    file,
    line,
    issue,
    suggestion,
    command,
  };
}

/** Prompts list the open ids: a reviewer that names one reports the same item again, perhaps at another line. */
function knownId({ label, file }: RawFinding, { known }: Finder): string | undefined {
  const item = label === undefined ? undefined : known?.get(label);
  return item !== undefined && (item.file === undefined || item.file === file)
    ? item.id
    : undefined;
}

function contentId(raw: RawFinding, { finder, anchor, byId }: IdContext): string {
  const { category, brief, file, line, command } = raw;
  const { kind } = finder;
  const content = { kind, category, file, anchor: anchor?.text, brief };
  const holds = anchor !== undefined && isAnchor(anchor.text);
  for (let further = 0; ; further++) {
    const occurrence = holds ? anchor.ordinal + further * FURTHER : 1 + further;
    const id = findingId({ ...content, occurrence });
    const other = byId.get(id);
    if (other === undefined) return id;
    // Bugs that are proved by different commands are also closed by different commands, so they stay separate.
    const isApart = kind === "bug" && other.command !== command;
    if (holds ? !isApart : other.line === line && other.brief === brief) return id;
  }
}

/** More than any file has lines, so that further items of one line never get the ids of another line. */
const FURTHER = 10_000_000;

async function anchorOf(
  { clone, at }: Finder,
  { file, line }: RawFinding,
): Promise<Anchor | undefined> {
  if (file === undefined || line === undefined) return undefined;
  const shown = await clone.show(at, file);
  const lines = shown.ok ? (shown.value?.split("\n") ?? []) : [];
  const text = lines[line - 1];
  if (text === undefined) return undefined;
  const same = lines.slice(0, line).filter((other) => foldSpace(other) === foldSpace(text));
  return { text, ordinal: same.length };
}
