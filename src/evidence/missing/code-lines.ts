import { bareCode } from "../languages/bare-code.ts";
import { TEST_LANGUAGES } from "../languages/all-languages.ts";

/** Of a file at most so many lines are read, and of a line so much. */
const LINES_MAX = 20_000;
const LINE_CHARS_MAX = 2_000;

/** A file of the commit that is code. */
export interface CodeFile {
  readonly path: string;
  readonly text: string;
}

/** The beginning of each line. */
export function shortLines(text: string): readonly string[] {
  return text.split("\n", LINES_MAX).map((line) => line.slice(0, LINE_CHARS_MAX));
}

/** A keyword of an import in code. */
export const IMPORT_WORD = /\b(?:from|import|require)\b/;

/**
 * Whether a line still matches where its file's strings and comments are blanked: test files are full of programs in
 * strings. True for languages of which that is not known.
 *
 * @param index of the line, from 0
 */
export function isInCode({ path, text }: CodeFile, index: number, word: RegExp): boolean {
  const marks = TEST_LANGUAGES.find(({ extensions }) =>
    extensions.some((each) => path.endsWith(each)),
  )?.marks;
  if (marks === undefined) return true;
  return word.test(bareCode(text, marks).code.split("\n", LINES_MAX)[index] ?? "");
}
