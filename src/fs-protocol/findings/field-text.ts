/** A `Name: text` line, bold or not. Group 1 is the name, group 2 the text. */
export const FIELD =
  /^[*_]{0,2}(file|issue|suggestion|level|command|output)[*_]{0,2}\s*:[*_]{0,2}\s*(.*)$/iu;

/** Whether a line's text (without list marker) would be read as a field. */
export function isFieldText(content: string): boolean {
  return FIELD.test(content);
}
