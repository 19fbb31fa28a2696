import { FINDING_TEXT_CHARS_MAX, LINE_BYTES_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { Level, type Finding } from "../../fs-protocol/records/finding.ts";
import { findingId, foldSpace, isAnchor } from "../../fs-protocol/findings/finding-id.ts";
import type { FindingsBlock } from "../../fs-protocol/findings/findings-judge.ts";
import type { RawFinding } from "../../fs-protocol/findings/raw-finding.ts";

/** Of a line; the rest is for the other fields of the record. */
const FINDINGS_BYTES_MAX = LINE_BYTES_MAX / 2;

/** Who finds, and where. */
export interface Finder {
  readonly kind: "finding" | "bug";
  /** Whatever name and level a block gives itself: wisp knows whom it asked. */
  readonly reviewer: string;
  /** Of findings that name none; none is heavier. */
  readonly level: Level;
  readonly clone: Clone;
  readonly at: Oid;
  /** Items that are open already: one that is named by its id, at its file, is that item. */
  readonly known?: ReadonlyMap<string, Finding> | undefined;
}

/**
 * Findings as records hold them: with an id made from the content, so that the same remark from a
 * repeated review is the same finding. One output that says a thing twice says it once; two things
 * about one line are told together; lines of the same text are told apart by their order in the file.
 */
export async function takeFindings(
  blocks: readonly Pick<FindingsBlock, "findings">[],
  finder: Finder,
): Promise<readonly Finding[]> {
  const taken = new Map<string, Finding>();
  for (const raw of blocks.flatMap(({ findings }) => findings)) {
    const anchor = await anchorOf(finder, raw);
    const finding = takeOne(raw, { finder, anchor, taken });
    const other = taken.get(finding.id);
    taken.set(finding.id, other === undefined ? finding : joinFindings(other, finding));
  }
  return fitFindings([...taken.values()]);
}

/** Two remarks about one thing: the same words once, else both, under the heavier level. */
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

/** Small is heavy. */
export function weightOf(level: Level): number {
  return Level.options.indexOf(level);
}

/**
 * All of them stand in one record, which is a line: where texts are too long for it they are cut, and
 * where there are too many the last are left out.
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

/** As JSON in a quoted field: what JSON escapes is escaped again. */
function encodedBytes(findings: readonly Finding[]): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(findings)));
}

/** How many findings of the blocks were more than a turn may have. */
export function omittedCount(blocks: readonly FindingsBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.omittedCount, 0);
}

interface Anchor {
  /** The line of code that the finding points at. */
  readonly text: string;
  /** Among the lines of the same text in its file, from 1. */
  readonly ordinal: number;
}

interface Taking {
  readonly finder: Finder;
  readonly anchor: Anchor | undefined;
  readonly taken: ReadonlyMap<string, Finding>;
}

function takeOne(raw: RawFinding, taking: Taking): Finding {
  const { reviewer, level } = taking.finder;
  const { category, brief, file, line, issue, suggestion, command } = raw;
  const own = raw.level ?? level;
  return {
    id: knownId(raw, taking.finder) ?? contentId(raw, taking),
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

/** Prompts list the open ids: who names one says that it is still there, though its line may be another. */
function knownId({ label, file }: RawFinding, { known }: Finder): string | undefined {
  const item = label === undefined ? undefined : known?.get(label);
  return item !== undefined && (item.file === undefined || item.file === file)
    ? item.id
    : undefined;
}

function contentId(raw: RawFinding, { finder, anchor, taken }: Taking): string {
  const { category, brief, file, line, command } = raw;
  const { kind } = finder;
  const content = { kind, category, file, anchor: anchor?.text, brief };
  const holds = anchor !== undefined && isAnchor(anchor.text);
  for (let further = 0; ; further++) {
    const occurrence = holds ? anchor.ordinal + further * FURTHER : 1 + further;
    const id = findingId({ ...content, occurrence });
    const other = taken.get(id);
    if (other === undefined) return id;
    // Bugs that are shown by different commands are closed by different commands: they stay apart.
    const isApart = kind === "bug" && other.command !== command;
    if (holds ? !isApart : other.line === line && other.brief === brief) return id;
  }
}

/** More than a file has lines: further items of one line never meet those of another. */
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
