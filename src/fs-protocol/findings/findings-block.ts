import { FINDINGS_PER_TURN_MAX, REASON_CHARS_MAX } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Finding, Level } from "../records/finding.ts";
import {
  judgeSection,
  unparseable,
  type FindingsBlock,
  type Unparseable,
} from "./findings-judge.ts";
import { readFindingsSections, type Section } from "./findings-sections.ts";
import { indented, manyLines, minute, oneLine } from "./entry-text.ts";
import { BRIEF_CHARS_MAX, CATEGORY_CHARS_MAX, NOTHING } from "./raw-finding.ts";

export interface DecodeOptions {
  /** Absolute folder of the clone: a path below it counts as a path in the repository. */
  readonly root?: string | undefined;
}

/**
 * Longer outputs are refused rather than truncated: truncation could make the inside of a code
 * fence look like the outside.
 */
const OUTPUT_CHARS_MAX = 4 * 1024 * 1024;

/**
 * Reads the findings blocks in the output of a reviewer or tester. Several blocks may follow each
 * other; lines may also be bold, differently bulleted, or in another order. The format:
 *
 *     [Review] 2026-11-20 12:00 UTC - security (blocking)
 *
 *     ### Verdict: NEEDS_WORK
 *
 *     ### Findings
 *
 *     1. **SEC-001**: Security - Token is written to the log
 *        - File: src/login.ts:12
 *        - Issue: The token is logged in clear text.
 *        - Suggestion: Log its last four characters.
 *        - Level: warning
 *        - Command: npm test -- login
 *
 * A bug that wisp accepted has an `Output:` line after its command: the output when wisp ran it.
 *
 * A pass is never guessed. It requires a heading (or bold line) with the verdict, outside code,
 * quotes, comments and list items, no other verdict in the block, and nothing in the findings
 * section. Contradictory output is refused, with one exception that loses nothing: PASSED above
 * well-formed findings is NEEDS_WORK.
 */
export function decodeFindingsBlocks(
  output: string,
  options: DecodeOptions = {},
): Result<readonly FindingsBlock[], Unparseable> {
  const read = sectionsOf(output);
  if (!read.ok) return read;
  const blocks: FindingsBlock[] = [];
  let room = FINDINGS_PER_TURN_MAX;
  for (const section of read.value) {
    const block = judgeSection(section, room, options.root);
    if (!block.ok) return block;
    blocks.push(block.value);
    room -= block.value.findings.length;
  }
  return ok(blocks);
}

/** The verdict of a finding's opener on its fix. */
export type FixVerdict =
  /** `reason`: set if wisp computed the verdict; an engine's needs none. */
  | { readonly kind: "closed"; readonly reason?: string }
  /** `reason` is what is still wrong, in the opener's words. */
  | { readonly kind: "reopened"; readonly reason: string };

/**
 * Reads the output of a `verify-fix` turn: a block as above, where PASSED closes the finding and
 * NEEDS_WORK reopens it. Here NEEDS_WORK may give its reason in prose instead of a finding.
 */
export function decodeVerdict(output: string): Result<FixVerdict, Unparseable> {
  const blocks = decodeFindingsBlocks(output);
  if (!blocks.ok) return reopenedInProse(output) ?? blocks;
  if (blocks.value.every(({ verdict }) => verdict === "PASSED")) return ok({ kind: "closed" });
  const issues = blocks.value.flatMap(({ findings }) => findings.map(({ issue }) => issue));
  return ok({ kind: "reopened", reason: reasonOf(issues.join("\n")) });
}

function reopenedInProse(output: string): Result<FixVerdict, never> | undefined {
  const read = sectionsOf(output);
  if (!read.ok) return undefined;
  const verdictsIn = read.value.flatMap(({ verdicts }) => verdicts.map(({ verdict }) => verdict));
  if (verdictsIn.some((verdict) => verdict !== "NEEDS_WORK")) return undefined;
  const reason = reasonOf(read.value.flatMap(({ prose }) => prose).join("\n"));
  return reason === "" ? undefined : ok({ kind: "reopened", reason });
}

function reasonOf(text: string): string {
  return cleanText(text, { charsMax: REASON_CHARS_MAX, lines: "one" });
}

/** The sections that contain a verdict or findings; at least one. */
function sectionsOf(output: string): Result<readonly Section[], Unparseable> {
  if (output.length > OUTPUT_CHARS_MAX) return unparseable("The output is longer than 4 MiB.");
  const { sections, isCutOff, hasVerdictInCode } = readFindingsSections(output);
  if (isCutOff) return unparseable("A code fence or comment is opened and never closed.");
  if (sections.some(({ verdicts }) => verdicts.length > 0)) return ok(sections);
  return unparseable(
    hasVerdictInCode
      ? "The verdict stands inside a code fence; print the block as it is, without a fence."
      : "There is no line `### Verdict: PASSED` or `### Verdict: NEEDS_WORK`.",
  );
}

/** A review as written to PROGRESS.txt: PASSED without findings, otherwise NEEDS_WORK. */
export interface ReviewEntry {
  /** As in records, such as `2026-11-20T12:00:00.000Z`. */
  readonly time: string;
  readonly reviewer: string;
  readonly level: Level;
  readonly findings: readonly Finding[];
}

/** Encodes one `[Review]` entry, with the final `---` and a blank line after it. */
export function encodeFindingsBlock(entry: ReviewEntry): string {
  const { findings, level } = entry;
  return [
    `[Review] ${minute(entry.time)} - ${oneLine(entry.reviewer)} (${level})`,
    `### Verdict: ${findings.length === 0 ? "PASSED" : "NEEDS_WORK"}`,
    "### Findings",
    ...(findings.length === 0
      ? ["None"]
      : findings.map((finding, i) => findingText(finding, i + 1, level))),
    "---\n\n",
  ].join("\n\n");
}

function findingText(finding: Finding, ordinal: number, blockLevel: Level): string {
  const marker = `${ordinal}. `;
  const place = finding.line === undefined ? finding.file : `${finding.file ?? ""}:${finding.line}`;
  const fields = [
    ["File", finding.file === undefined ? "" : place],
    ["Issue", finding.issue],
    ["Suggestion", finding.suggestion],
    ...(finding.level === blockLevel ? [] : [["Level", finding.level]]),
    ...(finding.command === undefined ? [] : [["Command", finding.command]]),
    ...(finding.output === undefined ? [] : [["Output", finding.output]]),
  ];
  // Indented as far as the item's own text: three columns, or four from the tenth finding on.
  const indent = " ".repeat(marker.length);
  const lines = fields.map(
    ([name = "", text = ""]) => `${indent}- ${name}: ${fieldText(text, `${indent}  `)}`,
  );
  return [titleText(marker, finding), ...lines].join("\n");
}

function titleText(marker: string, { id, category, brief }: Finding): string {
  // When this is read again, the first dash between spaces ends the category.
  const single = cleanText(category, { charsMax: CATEGORY_CHARS_MAX, lines: "one" });
  const undashed = single.replace(/\s[–—-](?=\s|$)/gu, "");
  return `${marker}**${id}**: ${undashed} - ${cleanText(brief, { charsMax: BRIEF_CHARS_MAX, lines: "one" })}`;
}

function fieldText(text: string, indent: string): string {
  const clean = manyLines(text);
  if (clean === "") return NOTHING;
  const first = clean.startsWith("\\") || clean === NOTHING ? "\\" : "";
  return first + indented(clean, indent);
}
