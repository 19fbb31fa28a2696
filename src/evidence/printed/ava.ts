import type { FailureReader, TestIdentity } from "./test-identity.ts";

const FAILED = /^\s*✘ \[fail\]: (.+)$/;
const HEADING = /^ {2}(\S.*)$/;
const PLACE = /^ {2}(\S+):\d+$/;
const STACK = /^\s+at .*?(?:file:\/\/)?([^\s()]+):\d+:\d+\)?$/;

const ERROR_LINES_MAX = 200;
/** How far below the previous title the next one is looked for: the list itself, and one error, are between them. */
const HEADING_LINES_MAX = 20_000;

/**
 * ava: a list of what failed, in which the error follows the title, and then the errors, each below its title. If it
 * ran several files, a title begins with a part of the file's name.
 */
export const readAva: FailureReader = (lines) => {
  let from = 0;
  return lines.flatMap((line): readonly TestIdentity[] => {
    const said = FAILED.exec(line)?.[1];
    if (said === undefined) return [];
    const heading = headingOf(lines, from, said);
    if (heading !== -1) from = heading + 1;
    const title = heading === -1 ? said : (HEADING.exec(lines[heading] ?? "")?.[1] ?? said);
    const name = title.split(" › ").at(-1) ?? title;
    return [{ file: heading === -1 ? "" : fileOf(lines, heading), path: [], name }];
  });
};

/** Errors have the order of the list. */
function headingOf(lines: readonly string[], from: number, said: string): number {
  const end = Math.min(lines.length, from + HEADING_LINES_MAX);
  for (let at = from; at < end; at++) if (isHeading(lines, at, said)) return at;
  return -1;
}

function isHeading(lines: readonly string[], at: number, said: string): boolean {
  const title = HEADING.exec(lines[at] ?? "")?.[1];
  const isAlone = (lines[at - 1] ?? "") === "" && (lines[at + 1] ?? "") === "";
  return title !== undefined && isAlone && (said === title || said.startsWith(`${title} `));
}

/** The place below a title, or the first line of a stack that is in the project. */
function fileOf(lines: readonly string[], heading: number): string {
  const place = PLACE.exec(lines[heading + 2] ?? "")?.[1];
  if (place !== undefined) return place;
  for (const line of lines.slice(heading + 1, heading + ERROR_LINES_MAX)) {
    const file = STACK.exec(line)?.[1];
    if (file !== undefined && !file.includes("node_modules/")) return file;
    if (/^ {2}─$/.test(line) || FAILED.test(line)) break;
  }
  return "";
}
