import type { MarkdownLine } from "../tasks/markdown-lines.ts";
import { FIELD } from "./field-text.ts";
import { FIELD_NAMES, type FieldName, type FindingDraft } from "./raw-finding.ts";

/**
 * Collects the lines of one finding. A field's text continues until the next field's line. The
 * first line of each name starts the field; later ones are text, so that quoted findings remain
 * quotations.
 */
export class FindingCollector implements FindingDraft {
  readonly title: string;
  /** Whether it is in the block's findings section, where every item must be a finding. */
  readonly isInSection: boolean;
  readonly lead: string[] = [];
  readonly fields = new Map<FieldName, string[]>();
  #current: string[] = this.lead;
  /** Top-level text that may be prose after the finding: it is added only if a field follows. */
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
    // One at a time: as arguments of one call, half a million lines would overflow the stack.
    for (const text of this.#pending ?? []) this.#current.push(text);
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

  /** A line without the field's indentation, and without the backslash that the encoder added. */
  #textOf(line: MarkdownLine): string {
    let start = 0;
    while (start < this.#column && line.raw.charAt(start) === " ") start++;
    const text = line.raw.slice(start);
    return line.kind === "fence" ? text : text.replace(/^(\s*)\\/u, "$1");
  }
}
