import { HOME_FILE_NAMES, homeFile } from "../../fs-protocol/home/catalogue.ts";
import { revisionNumber } from "../../fs-protocol/home/home.ts";
import type { HandoverFiles } from "../../session/rules/handover.ts";

/** A file of a home. */
export interface HomeFileDigest {
  /** Relative to the home. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /**
   * The digest of as many bytes of it as the file of the other home has. Absent: that file is not shorter, or holds no
   * records.
   */
  readonly prefix?: string | undefined;
}

/** Two homes of a session, the first of which is compared to the other. */
export interface HomePair {
  readonly one: readonly HomeFileDigest[];
  readonly other: readonly HomeFileDigest[];
  /** The home whose files count where they are no records; undefined: neither decides. */
  readonly decides: "one" | "other" | undefined;
}

const RECORDS = new Set(
  HOME_FILE_NAMES.map(homeFile)
    .filter(({ kind }) => kind === "log")
    .map(({ path }) => path),
);

/** Whether a file holds records, on which decisions depend. */
export function holdsRecords(path: string): boolean {
  const [first = "", ...rest] = path.split("/");
  return revisionNumber(first) === undefined ? RECORDS.has(path) : holdsRecords(rest.join("/"));
}

/** Whether a file has to be the same in both homes: all but what processes print, even one that may not write. */
export function isCompared(path: string): boolean {
  return !path.endsWith(".out");
}

/**
 * What the first home has in comparison to the other. Only records say which has more: all other files follow from them,
 * or were written by a person at the home that decides.
 */
export function compareHomes({ one, other, decides }: HomePair): HandoverFiles {
  const ones = byPath(one);
  const others = byPath(other);
  const paths = [...new Set([...ones.keys(), ...others.keys()])].filter(isCompared);
  const records = paths.filter(holdsRecords).map((path) => {
    return compareRecords(ones.get(path), others.get(path));
  });
  const isIn = records.every((files) => files === "same" || files === "behind");
  const isAround = records.every((files) => files === "same" || files === "ahead");
  if (!isIn || !isAround) return isIn ? "behind" : isAround ? "ahead" : "forked";
  if (paths.every((path) => isSame(ones.get(path), others.get(path)))) return "same";
  if (decides === undefined) return "forked";
  return decides === "one" ? "ahead" : "behind";
}

function byPath(files: readonly HomeFileDigest[]): ReadonlyMap<string, HomeFileDigest> {
  return new Map(files.map((file) => [file.path, file]));
}

type Maybe = HomeFileDigest | undefined;

function isSame(one: Maybe, other: Maybe): boolean {
  return one?.bytes === other?.bytes && one?.sha256 === other?.sha256;
}

function compareRecords(one: Maybe, other: Maybe): HandoverFiles {
  if (isSame(one, other)) return "same";
  if (isBeginning(one, other)) return "behind";
  return isBeginning(other, one) ? "ahead" : "forked";
}

/** Whether a file is the beginning of a longer one. A file that is missing is the beginning of any. */
function isBeginning(shorter: Maybe, longer: Maybe): boolean {
  if (shorter === undefined || longer === undefined) return shorter === undefined;
  if (shorter.bytes >= longer.bytes) return false;
  return shorter.bytes === 0 || longer.prefix === shorter.sha256;
}
