import { lastMessageLines } from "./last-message.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { levelOf, type Level } from "../records/finding.ts";
import { isFieldText } from "./field-text.ts";
import { FindingCollector } from "./finding-collector.ts";
import { markdownLines, type MarkdownLine } from "../tasks/markdown-lines.ts";
import { hasLabel } from "./raw-finding.ts";

export type Verdict = "PASSED" | "NEEDS_WORK";

/** A line that states a verdict, or begins like one. */
export interface VerdictLine {
  /** `undefined` if the line states neither of the two. */
  readonly verdict: Verdict | undefined;
  readonly text: string;
  /**
   * Neither a heading nor bold, or in a list item: such a line can prevent a pass, but not grant
   * one.
   */
  readonly isPlain: boolean;
}

/** One reviewer's part of an output, not yet judged. */
export interface Section {
  readonly header: { readonly reviewer: string; readonly level: Level | undefined } | undefined;
  readonly verdicts: VerdictLine[];
  readonly drafts: FindingCollector[];
  /** Lines after the first verdict that are not headings. */
  readonly prose: string[];
  /** Whether the findings section starts with a field that belongs to no finding. */
  hasStrayField: boolean;
}

/** Splits an output into sections. Entries about fixes, as in PROGRESS.txt, are left out. */
export function readFindingsSections(output: string): {
  readonly sections: readonly Section[];
  /** Whether a code fence or comment is never closed, which hides everything after it. */
  readonly isCutOff: boolean;
  readonly hasVerdictInCode: boolean;
} {
  const text = cleanText(output, { charsMax: output.length + 1, lines: "many" });
  // The sentinel shows whether a block is still open at the end of the text.
  const lines = markdownLines(`${text}\n\n.`);
  const sentinel = lines.at(-1);
  const reader = new SectionReader();
  // The engine's last message is skipped, not removed: without it other lines could become code.
  const word = lastMessageLines(lines.map(({ raw }) => raw));
  const isRead = (_: MarkdownLine, index: number): boolean =>
    !(word !== undefined && index >= word.first && index <= word.last) &&
    index !== lines.length - 1;
  for (const line of lines.filter(isRead)) reader.read(line);
  return {
    sections: reader.sections.filter(
      ({ header, verdicts, drafts }) =>
        header !== undefined || verdicts.length > 0 || drafts.some(isLabelled),
    ),
    isCutOff: sentinel?.kind === "fence" || sentinel?.kind === "html",
    hasVerdictInCode: lines.some((line) => line.kind === "fence" && VERDICT.test(line.raw)),
  };
}

const REVIEWER_CHARS_MAX = 100;
/** Longer lines are not headers: the pattern takes quadratic time on runs of white space. */
const HEADER_CHARS_MAX = 300;

const HEADER =
  /^\[Review\]\s*([\dY]{4}-[\dM]{2}-[\dD]{2}[ T][\dH]{2}:[\dM]{2}(?::\d{2})?(?:\s*UTC|Z)?)?\s*[–—-]?\s*(.+?)(?:\s*\((blocking|warning|suggestion)\))?$/iu;
const FIX_HEADER = /^\[Review Fix(?: (?:Failed|Accepted|Reopened|Unchanged|Unjudged))?\]/iu;
const VERDICT = /^[\s#*_]*verdict[*_]{0,2}\s*:/iu;
const FINDINGS_HEADING = /^(?:findings|bugs)\b/iu;
const NO_FINDINGS =
  /^[([]?(?:none|nothing|no (?:findings|issues|bugs|problems))(?: (?:were )?found| to report)?[.!]?[)\]]?$/iu;

class SectionReader {
  readonly sections: Section[] = [];
  #section: Section = this.#begin(undefined);
  #draft: FindingCollector | undefined;
  #isInFindings = false;
  /** Whether inside an entry about a fix: nothing there is a verdict or a finding. */
  #isIgnoring = false;

  #begin(header: Section["header"]): Section {
    const section = { header, verdicts: [], drafts: [], prose: [], hasStrayField: false };
    this.sections.push(section);
    return section;
  }

  read(line: MarkdownLine): void {
    if (isAtRoot(line) && this.#readMark(line)) {
      this.#draft = undefined;
    } else if (!this.#isIgnoring) {
      this.#readBody(line);
    }
  }

  /** Reads a line that ends the finding before it; returns false if the line does not. */
  #readMark(line: MarkdownLine): boolean {
    const text = unbold(line.content);
    if (FIX_HEADER.test(text)) {
      this.#isIgnoring = true;
      return true;
    }
    const header = headerOf(text);
    if (header !== undefined) {
      this.#section = this.#begin(header);
      this.#isIgnoring = false;
      this.#isInFindings = false;
      return true;
    }
    if (this.#isIgnoring) {
      // No entry about a fix has a verdict, so this one belongs to a section that follows the
      // entry.
      if (!VERDICT.test(line.content)) return false;
      this.#section = this.#begin(undefined);
      this.#isIgnoring = false;
    }
    return this.#readVerdictOrHeading(line);
  }

  #readVerdictOrHeading(line: MarkdownLine): boolean {
    const isMarked = line.kind === "heading" || /^(?:\*\*|__)/u.test(line.content);
    if (VERDICT.test(line.content)) {
      const text = unbold(line.content.replace(VERDICT, "").replace(/^[*_]{0,2}\s*/u, ""));
      this.#section.verdicts.push({
        verdict: wordOf(text),
        text,
        isPlain: !isMarked || line.isLazy,
      });
      this.#isInFindings = false;
      return true;
    }
    if (isMarked && FINDINGS_HEADING.test(unbold(line.content))) {
      this.#isInFindings = true;
      return true;
    }
    if (line.kind === "heading" && titleIn(line) === undefined) {
      this.#isInFindings = false;
      return true;
    }
    return line.kind === "rule";
  }

  #readBody(line: MarkdownLine): void {
    if (this.#section.verdicts.length > 0) this.#section.prose.push(line.raw);
    const title = this.#titleOf(line);
    if (title !== undefined) {
      this.#draft = new FindingCollector(line, { title, isInSection: this.#isInFindings });
      this.#section.drafts.push(this.#draft);
    } else if (this.#draft !== undefined) {
      this.#draft.add(line);
    } else if (this.#isInFindings && line.kind === "text" && isFieldText(line.content)) {
      this.#section.hasStrayField = true;
    }
  }

  /** The title of the finding that this line opens, if any. */
  #titleOf(line: MarkdownLine): string | undefined {
    if (line.kind !== "text" && line.kind !== "heading") return undefined;
    if (line.opens === undefined && !isAtRoot(line)) return undefined;
    if (isFieldText(line.content)) return undefined;
    const title = titleIn(line);
    if (title !== undefined) return title;
    // In the findings section each item is a finding, well-formed or not; but a bullet may also
    // continue one.
    const isItem =
      line.opens === "ordered" || (line.opens === "bullet" && this.#draft === undefined);
    return this.#isInFindings && isItem && !NO_FINDINGS.test(line.content)
      ? line.content
      : undefined;
  }
}

/**
 * A title with an id, which marks a finding anywhere, numbered or not (`#### 1. **SEC-001**: …`).
 */
function titleIn(line: MarkdownLine): string | undefined {
  const title =
    line.kind === "heading" ? line.content.replace(/^\d{1,9}[.)]\s+/u, "") : line.content;
  return hasLabel(title) ? title : undefined;
}

/**
 * Whether a line is at the document's top level, or looks like it: at the left margin, although it
 * continues an item's text.
 */
function isAtRoot(line: MarkdownLine): boolean {
  if (line.kind !== "text" && line.kind !== "heading" && line.kind !== "rule") return false;
  return line.depth === 0 || (line.isLazy && line.column === 0);
}

function headerOf(text: string): Section["header"] {
  if (text.length > HEADER_CHARS_MAX) return undefined;
  const [, date, name = "", level] = HEADER.exec(text) ?? [];
  // A line without date and level belongs to some other log.
  if (date === undefined && level === undefined) return undefined;
  const reviewer = cleanText(unbold(name), { charsMax: REVIEWER_CHARS_MAX, lines: "one" });
  return reviewer === "" ? undefined : { reviewer, level: levelOf(level) };
}

function wordOf(text: string): Verdict | undefined {
  const word = text.replace(/[.!]$/u, "").toUpperCase();
  if (word === "PASSED") return "PASSED";
  return /^NEEDS[_ -]WORK$/u.test(word) ? "NEEDS_WORK" : undefined;
}

function unbold(text: string): string {
  return text
    .replace(/^[*_`]{1,2}/u, "")
    .replace(/[*_`]{1,2}$/u, "")
    .trim();
}

function isLabelled(draft: FindingCollector): boolean {
  return draft.isInSection || draft.fields.size > 0;
}
