import type { Result } from "../../base/result.ts";
import type { HomeIssue } from "../../fs-protocol/home/home-issue.ts";
import { isSealed } from "../../fs-protocol/codec/line-fields.ts";
import { asWritten } from "../../fs-protocol/projections/projection-forms.ts";

/** A file that follows from a log: its current bytes and its expected lines. */
export interface ProjectionFile {
  readonly path: string;
  /** Undefined if the file is missing. */
  readonly bytes: Uint8Array | undefined;
  /** The expected lines in order, each without its newline. */
  readonly expected: readonly string[];
  /** Decodes a line of this kind of file, no matter who wrote it. */
  readonly decode: (line: string) => Result<unknown, { readonly problem: string }>;
  /** Whether people may add lines of their own. */
  readonly isOpenToPeople: boolean;
}

interface PresentLine {
  /** The line in Latin-1: one character per byte, so that decoding never changes a line. */
  readonly raw: string;
  readonly offsetBytes: number;
}

/**
 * Checks that a projection contains the lines that follow from its log, in their order, and no
 * others.
 */
export function checkProjection(file: ProjectionFile): readonly HomeIssue[] {
  const { path, expected } = file;
  const { lines, isTorn } = split(file.bytes);
  const issues: HomeIssue[] = [];
  const free = placesOf(expected);
  let last = -1;
  for (const { raw, offsetBytes } of lines) {
    const place = free.get(knownOf(file, raw))?.shift();
    if (place === undefined) issues.push(...foreign(file, raw, offsetBytes));
    else if (place < last) {
      issues.push({ kind: "line-misplaced", path, offsetBytes, text: textOf(raw) });
    }
    last = Math.max(last, place ?? -1);
  }
  const missing = [...free.values()].flat().sort((one, other) => one - other);
  for (const place of missing) {
    issues.push({ kind: "line-missing", path, text: expected[place] ?? "" });
  }
  return isTorn ? [...issues, tornTail(path, file.bytes)] : issues;
}

/**
 * Returns the content to keep before the missing lines are appended again: lines that do not belong
 * to the log, and the expected lines, from the first on, as far as they occur in order. Undefined
 * if no line has to be removed.
 */
export function linesToKeep(file: ProjectionFile): Uint8Array | undefined {
  const { lines, isTorn } = split(file.bytes);
  let next = 0;
  const kept = lines.filter(({ raw }) => {
    const wanted = file.expected[next];
    if (wanted !== undefined && knownOf(file, raw) === rawOf(wanted)) {
      next += 1;
      return true;
    }
    return !isWanted(file, raw);
  });
  if (kept.length === lines.length) return undefined;
  const tail = isTorn ? rawTail(file.bytes) : "";
  return Buffer.from(kept.map(({ raw }) => `${raw}\n`).join("") + tail, "latin1");
}

/**
 * Whether `linesToKeep` drops a line that the log never produced, that is, one that somebody else
 * wrote.
 */
export function dropsForeignLine(file: ProjectionFile): boolean {
  const isOwn = (raw: string) => file.expected.includes(asWritten(file.path, textOf(raw)));
  return split(file.bytes).lines.some(({ raw }) => isWanted(file, raw) && !isOwn(raw));
}

/** Whether a line claims to come from the log, rightly or not. */
function isWanted(file: ProjectionFile, raw: string): boolean {
  const text = textOf(raw);
  return file.expected.includes(asWritten(file.path, text)) || file.decode(text).ok;
}

function foreign(file: ProjectionFile, raw: string, offsetBytes: number): readonly HomeIssue[] {
  const { path } = file;
  const text = textOf(raw);
  const decoded = file.decode(text.replace(/\r$/, ""));
  if (decoded.ok) return [{ kind: "line-extra", path, offsetBytes, text }];
  if (file.isOpenToPeople || text.trim() === "" || isSealed(text)) return [];
  return [{ kind: "bad-line", path, offsetBytes, problem: decoded.failure.problem }];
}

function placesOf(expected: readonly string[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, line] of expected.entries()) {
    const raw = rawOf(line);
    places.set(raw, [...(places.get(raw) ?? []), place]);
  }
  return places;
}

function split(bytes: Uint8Array | undefined): {
  readonly lines: readonly PresentLine[];
  readonly isTorn: boolean;
} {
  const parts = Buffer.from(bytes ?? [])
    .toString("latin1")
    .split("\n");
  let offsetBytes = 0;
  const lines = parts.slice(0, -1).map((raw) => {
    const line = { raw, offsetBytes };
    offsetBytes += raw.length + 1;
    return line;
  });
  return { lines, isTorn: parts.at(-1) !== "" };
}

function rawTail(bytes: Uint8Array | undefined): string {
  return (
    Buffer.from(bytes ?? [])
      .toString("latin1")
      .split("\n")
      .at(-1) ?? ""
  );
}

/** Returns the issue of a file that ends in the middle of a line. */
function tornTail(path: string, bytes: Uint8Array | undefined): HomeIssue {
  const offsetBytes = Buffer.from(bytes ?? []).lastIndexOf(0x0a) + 1;
  return { kind: "torn-tail", path, offsetBytes };
}

/** Returns a line as this version of wisp would have written it, in Latin-1 like the raw line. */
function knownOf({ path }: ProjectionFile, raw: string): string {
  const text = textOf(raw);
  return rawOf(text) === raw ? rawOf(asWritten(path, text)) : raw;
}

function rawOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function textOf(raw: string): string {
  return Buffer.from(raw, "latin1").toString("utf8");
}
