import { basename } from "node:path";
import { HOME_FILES, LINE_FILE_NAMES } from "../home/catalogue.ts";
import { LINE_CODECS } from "./line-codecs.ts";

const BY_NAME = new Map(
  LINE_FILE_NAMES.map((name) => [basename(HOME_FILES[name].path), LINE_CODECS[name]]),
);

/**
 * A line of a projection, without its newline, as this version writes it: without the fields that a later
 * one put behind. What is no line of the file stays as it is.
 *
 * @param path of the file, of which the name alone counts
 */
export function asWritten(path: string, line: string): string {
  return BY_NAME.get(basename(path))?.asWritten(line) ?? line;
}
