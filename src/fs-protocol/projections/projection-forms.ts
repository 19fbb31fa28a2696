import { basename } from "node:path";
import { HOME_FILES, LINE_FILE_NAMES } from "../home/catalogue.ts";
import { LINE_CODECS } from "./line-codecs.ts";

const BY_NAME = new Map(
  LINE_FILE_NAMES.map((name) => [basename(HOME_FILES[name].path), LINE_CODECS[name]]),
);

/**
 * A line of a projection, without its newline, as this version writes it: without fields that a
 * later version appended. A line that cannot be decoded stays unchanged.
 *
 * @param path of the file; only its name matters
 */
export function asWritten(path: string, line: string): string {
  return BY_NAME.get(basename(path))?.asWritten(line) ?? line;
}
