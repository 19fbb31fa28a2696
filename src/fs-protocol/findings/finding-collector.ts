import type { MarkdownLine } from "../tasks/markdown-lines.ts";
import { FIELD_NAMES, type FieldName, type FindingDraft } from "./raw-finding.ts";

/** A `Name: text` line, with or without bold. Group 1 is the name, group 2 the text. */
const FIELD =
  /^[*_]{0,2}(file|issue|suggestion|level|command|output)[*_]{0,2}\s*:[*_]{0,2}\s*(.*)$/iu;

/** Whether a line's text (without list marker) would be read as a field. */
export function isFieldText(content: string): boolean {
  return FIELD.test(content);
}

/**
 * Collects the lines of one finding. A field's text goes on until the next field's line; the first
 * line of each name counts, later ones are text, so that quoted findings stay quotations.
 */
export class FindingCollector implements FindingDraft {
  readonly title: string;
  /** Whether the block's findings section holds it, where every item must be a finding. */
  readonly isInSection: boolean;
  readonly lead: string[] = [];
  readonly fields = new Map<FieldName, string[]>();
  #current: string[] = this.lead;
  /** Text of the document itself that may be prose after the finding: kept only if a field follows. */
  #pending: string[] | undefined;
  #column: number;
  #isAfterBlank = false;

  constructor(
    line: MarkdownLine,
    options: { readonly title: string; readonly isInSection: boolean },
  ) {
    this.title = options.title;
    this.isInSection = options.isInSection;
    this.#column = line.column;
  }

  add(line: MarkdownLine): void {
    const field = line.kind === "text" ? FIELD.exec(line.content) : null;
    const name = FIELD_NAMES.find((known) => known === field?.[1]?.toLowerCase());
    if (name !== undefined && !this.fields.has(name)) {
      this.#open(name, line, field?.[2] ?? "");
    } else {
      this.#continue(line);
    }
    this.#isAfterBlank = line.kind === "blank";
  }

  #open(name: FieldName, line: MarkdownLine, text: string): void {
    // One by one: as arguments, half a million lines would overflow the stack.
    for (const kept of this.#pending ?? []) this.#current.push(kept);
    this.#pending = undefined;
    this.#current = [text];
    this.#column = line.column;
    this.fields.set(name, this.#current);
  }

  #continue(line: MarkdownLine): void {
    const isProse =
      line.depth === 0 && (line.kind === "text" || line.kind === "html" || line.kind === "quote");
    if (isProse && this.#isAfterBlank) this.#pending ??= [];
    (this.#pending ?? this.#current).push(this.#textOf(line));
  }

  /** Without the indentation of the field, and without the backslash that an encoder put there. */
  #textOf(line: MarkdownLine): string {
    let start = 0;
    while (start < this.#column && line.raw.charAt(start) === " ") start++;
    const text = line.raw.slice(start);
    return line.kind === "fence" ? text : text.replace(/^(\s*)\\/u, "$1");
  }
}
