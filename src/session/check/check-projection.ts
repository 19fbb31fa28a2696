import type { Result } from "../../base/result.ts";
import type { HomeIssue } from "../../fs-protocol/home/home-issue.ts";
import { isSealed } from "../../fs-protocol/codec/line-fields.ts";
import { asWritten } from "../../fs-protocol/projections/projection-forms.ts";

/** A file that follows from a log, as it is and as it has to be. */
export interface ProjectionFile {
  readonly path: string;
  /** Undefined when there is none. */
  readonly bytes: Uint8Array | undefined;
  /** Its lines in order, each without its newline. */
  readonly expected: readonly string[];
  /** Whether a line is one of this file, whoever wrote it. */
  readonly decode: (line: string) => Result<unknown, { readonly problem: string }>;
  /** Whether people may write lines of their own into it. */
  readonly isOpenToPeople: boolean;
}

interface PresentLine {
  /** In Latin-1: a character for each byte, so that no line is changed by being looked at. */
  readonly raw: string;
  readonly offsetBytes: number;
}

/** Whether a projection says what its log says, no more, and in its order. */
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
 * What of a projection may stay when the rest is appended again: the lines that are nobody's, and
 * those of the log as far as they are all there in order. `undefined` when nothing has to go.
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

/** Whether `linesToKeep` takes out a line that the log never said: somebody else wrote it. */
export function dropsForeignLine(file: ProjectionFile): boolean {
  const isOwn = (raw: string) => file.expected.includes(asWritten(file.path, textOf(raw)));
  return split(file.bytes).lines.some(({ raw }) => isWanted(file, raw) && !isOwn(raw));
}

/** Whether a line speaks for the log, rightly or wrongly. */
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

/** The issue of a file that ends within a line. */
function tornTail(path: string, bytes: Uint8Array | undefined): HomeIssue {
  const offsetBytes = Buffer.from(bytes ?? []).lastIndexOf(0x0a) + 1;
  return { kind: "torn-tail", path, offsetBytes };
}

/** A line as this version would have written it, in Latin-1 as it was read. */
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
