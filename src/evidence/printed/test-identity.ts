import { TEST_NAME_CHARS_MAX } from "../../base/limits.ts";

/** A test that failed, as far as its runner says which one it is. */
export interface TestIdentity {
  /** Relative to the tree; some runners print a package in its place. "" if the runner prints neither. */
  readonly file: string;
  /** The titles of the groups around the test. */
  readonly path: readonly string[];
  /** "" if the file itself failed, because it could not be loaded. */
  readonly name: string;
}

/**
 * Finds the failing tests in the output of one kind of runner, each as often as it failed. Other runners may have
 * printed to the same output.
 */
export type FailureReader = (lines: readonly string[]) => readonly TestIdentity[];

/** A file that failed as a whole. */
export function failedFile(file: string): TestIdentity {
  return { file, path: [], name: "" };
}

const SEPARATOR = " > ";
const ELLIPSIS = "…";

/** The identity as one line: the file, the titles and the name. The middle of a long one is left out. */
export function identityText({ file, path, name }: TestIdentity): string {
  const parts = [file, ...path, name].map((part) => part.replace(/\s+/g, " ").trim());
  const text = parts.filter((part) => part !== "").join(SEPARATOR);
  if (text.length <= TEST_NAME_CHARS_MAX) return text;
  const half = Math.floor((TEST_NAME_CHARS_MAX - ELLIPSIS.length) / 2);
  return `${text.slice(0, half)}${ELLIPSIS}${text.slice(-half)}`;
}

/** The file at the start of an identity, or a package; undefined if there is none. */
export function fileOfIdentity(text: string): string | undefined {
  const [first = ""] = text.split(SEPARATOR);
  return /^(?=\S*\w\.\w+$|\S*[^/]\/[^/])\S+$/.test(first) ? first : undefined;
}

/** The titles and the name in an identity, without its file; the whole text if it is only a file. */
export function titlesOfIdentity(text: string): string {
  const file = fileOfIdentity(text);
  const rest = file === undefined ? "" : text.slice(file.length + SEPARATOR.length);
  return rest === "" ? text : rest;
}

/** What a person may call a test: its name alone, and with the titles around it. */
export function wordsForTest(text: string): readonly string[] {
  const titles = titlesOfIdentity(text);
  return [...new Set([titles.split(SEPARATOR).at(-1) ?? titles, titles])];
}

/** A path as runners print it, without what differs between two ways of writing it. */
export function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}
