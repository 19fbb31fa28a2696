import type { Files } from "../base/files.ts";
import type { Home } from "../fs-protocol/home.ts";

/** Kinds of records of human.log after which nobody can say anything more to a session. */
const CLOSING: ReadonlySet<string> = new Set(["done", "abandon", "reject"]);

/**
 * Whether a person has closed a session for good, by the kinds of the lines of its human.log alone: enough to
 * choose the session that is meant where nobody names one. One that cannot be read is not closed.
 */
export function isClosed(
  files: Pick<Files, "read">,
  { humanLog }: Pick<Home, "humanLog">,
): boolean {
  const read = files.read(humanLog);
  if (!read.ok) return false;
  const lines = Buffer.from(read.value ?? [])
    .toString("utf8")
    .split("\n");
  return lines.some((line) => CLOSING.has(line.split(" ", 2)[1] ?? ""));
}
