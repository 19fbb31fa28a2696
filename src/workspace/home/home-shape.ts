import { dirname, join } from "node:path";
import {
  filesOf,
  homeFile,
  type HomeFileName,
  type Writer,
} from "../../fs-protocol/home/catalogue.ts";
import { LOG_NAMES, ROLES } from "../../base/role.ts";
import type { FileDamage } from "../../home/restored-record.ts";
import { copiedFile } from "../../home/shared-files.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Live } from "../../session/check/check-home.ts";
import { homeDirectories } from "../../fs-protocol/home/home-directories.ts";
import type { HomeIssue } from "../../fs-protocol/home/home-issue.ts";
import { directoryPlaces, expectedIn, filePlaces } from "../../fs-protocol/home/home-places.ts";
import { COPIED_FILES, copyPath, sessionCopyPath } from "../../fs-protocol/home/copy-path.ts";
import { roleLog, type Home } from "../../fs-protocol/home/home.ts";
import { entryKind, namesIn, sizeOf, type EntryKind } from "../../host/files/entry-kind.ts";
import { readSession, type FoundSession } from "../sessions.ts";

/** An entry in the place of one of wisp's files or directories that is of another kind. */
export interface OddEntry {
  readonly path: string;
  readonly expected: "file" | "directory";
  readonly is: EntryKind;
}

/** A file whose copy holds more than the home's, or other content. */
export interface Differing {
  readonly path: string;
  readonly copy: string;
  readonly found: FileDamage;
}

/** The structure of a home, before anything in it is read. */
export interface HomeShape {
  readonly odd: readonly OddEntry[];
  /** Missing directories; for a removed home, only the home itself. */
  readonly missing: readonly string[];
  readonly differing: readonly Differing[];
}

/** Finds everything that is not a file or directory where one is expected; opens nothing. */
export function oddEntries(found: FoundSession): readonly OddEntry[] {
  const { home, session } = found;
  // The home itself may be a link: a person may have moved it to another disk.
  const directories = directoryPlaces(home, session).filter(
    ({ path }) => path !== home.directory || entryKind(path) !== "link",
  );
  const odd = directories.flatMap(({ path, expected }) => oddAt(path, expected));
  const sound = directories.filter(
    ({ path }) => !isBelow(path, odd) && !odd.some((one) => one.path === path),
  );
  const named = sound.flatMap(({ path }) =>
    namesIn(path).flatMap((name) => {
      const expected = expectedIn(found, path, name);
      return expected === undefined ? [] : oddAt(join(path, name), expected);
    }),
  );
  const files = filePlaces(home)
    .filter(({ path }) => !isBelow(path, odd))
    .flatMap(({ path, expected }) => oddAt(path, expected));
  return [...odd.filter(({ path }) => !isBelow(path, odd)), ...named, ...files];
}

function oddAt(path: string, expected: OddEntry["expected"]): readonly OddEntry[] {
  const is = entryKind(path);
  return is === undefined || is === expected ? [] : [{ path, expected, is }];
}

function isBelow(path: string, odd: readonly OddEntry[]): boolean {
  return odd.some((one) => path.startsWith(`${one.path}/`));
}

/**
 * Inspects the structure of a home. For files that live roles write, only the kind of entry is
 * checked.
 */
export function homeShape(files: Files, found: FoundSession, live: Live): HomeShape {
  const odd = oddEntries(found);
  const hidden = (path: string) => isBelow(path, odd) || odd.some((one) => one.path === path);
  return {
    odd,
    missing: missingDirectories(found.home).filter((path) => !hidden(path)),
    differing: differing(files, found, live, hidden),
  };
}

function missingDirectories(home: Home): readonly string[] {
  const missing = homeDirectories(home).filter((path) => entryKind(path) === undefined);
  return missing.filter((path) => !missing.includes(dirname(path)));
}

function differing(
  files: Files,
  { home, session }: FoundSession,
  live: Live,
  hidden: (path: string) => boolean,
): readonly Differing[] {
  const atRest = copiedFiles(home, session).filter(
    ({ owner }) => owner === undefined || !live.has(owner),
  );
  const all = atRest.filter(({ path, copy, lock }) => ![path, copy, lock].some(hidden));
  const differ = all.flatMap(({ name, path, copy }): readonly Differing[] => {
    if (entryKind(copy) === undefined) return [];
    const found = copiedFile(name, { files, home, session }).peek();
    return found === undefined || found === "grown" ? [] : [{ path, copy, found }];
  });
  const lost = { path: home.sessionJson, copy: sessionCopyPath(session) };
  const isSessionLost = isUnreadable(files, home) && ![lost.path, lost.copy].some(hidden);
  const found = entryKind(home.sessionJson) === undefined ? "missing" : "edited";
  return [...(isSessionLost ? [{ ...lost, found } as const] : []), ...differ];
}

/** Whether `session.json` is missing or invalid. */
export function isUnreadable(files: Files, home: Home): boolean {
  const read = readSession(files, home);
  return !read.ok && read.failure.kind !== "session-later";
}

/** Files that are missing or shorter than their copies, judged by their sizes alone. */
export function shorterThanCopy(found: FoundSession): readonly string[] {
  return shorterFiles(found).map(({ path }) => path);
}

function shorterFiles({ home, session }: FoundSession): readonly CopiedFile[] {
  const size = (path: string) => sizeOf(path) ?? 0;
  return copiedFiles(home, session).filter(({ name, path, copy }) =>
    homeFile(name).kind === "document"
      ? entryKind(path) === undefined && entryKind(copy) === "file"
      : size(path) < size(copy),
  );
}

/**
 * Logs that are missing and have no copy, although files that are derived from them have content.
 */
export function lostLogs({ home, session }: FoundSession): readonly string[] {
  const evidence = ROLES.map((role) => {
    const follow = filesOf(role).filter((name) => homeFile(name).kind === "lines");
    return [role, follow.map((name) => home[name])] as const;
  });
  return evidence
    .filter(([, files]) => files.some((path) => (sizeOf(path) ?? 0) > 0))
    .map(([role]) => ({ log: roleLog(home, role), copy: copyPath(session, `${role}Log`) }))
    .filter(({ log, copy }) => entryKind(log) === undefined && (sizeOf(copy) ?? 0) === 0)
    .map(({ log }) => log);
}

/** A file of a home, and its copy outside of it. */
export interface CopiedFile {
  readonly name: HomeFileName;
  readonly path: string;
  readonly copy: string;
  /** The file whose lock protects it. */
  readonly lock: string;
  /** Its only writer; undefined if there are several. */
  readonly owner: Exclude<Writer, "command"> | undefined;
}

/** The files of a home that have copies: journals first, then other files that only grow. */
export function copiedFiles(
  home: Home,
  session: Pick<FoundSession["session"], "state" | "createdAt">,
): readonly CopiedFile[] {
  return COPIED.map((name) => {
    const { copy, writers, lockedBy = name } = homeFile(name);
    const [writer] = writers;
    const owner = copy === "own" && writer !== "command" ? writer : undefined;
    return { name, path: home[name], copy: copyPath(session, name), lock: home[lockedBy], owner };
  });
}

const COPIED = [
  ...LOG_NAMES.map((log) => `${log}Log` as const),
  ...COPIED_FILES.filter((name) => ["lines", "blocks"].includes(homeFile(name).kind)),
  ...COPIED_FILES.filter((name) => homeFile(name).kind === "document"),
];

/** Whether the whole home is missing. */
export function isRemoved(home: Home, { missing }: HomeShape): boolean {
  return missing.includes(home.directory);
}

/** The structure's problems as issues of the home. */
export function shapeIssues(found: FoundSession, shape: HomeShape): readonly HomeIssue[] {
  const { home } = found;
  const { branch } = found.session;
  if (isRemoved(home, shape)) return [{ kind: "home-removed", path: home.directory, branch }];
  return [
    ...shape.odd.map(({ path, is, expected }): HomeIssue => ({
      kind: "odd-entry",
      path,
      is,
      expected,
    })),
    ...shape.missing.map((path): HomeIssue => ({ kind: "directory-missing", path })),
    ...shape.differing.map(({ path, found }): HomeIssue => ({ kind: "copy-differs", path, found })),
    ...lostLogs(found).map((path): HomeIssue => ({ kind: "log-lost", path, branch })),
  ];
}

/**
 * A view of a home's files as a repair of its structure will leave them: odd entries are absent,
 * and files whose copies hold more are read from those.
 */
export function repairedView(files: Files, found: FoundSession, shape: HomeShape): Files {
  const odd = shape.odd.map(({ path }) => path);
  const copies = new Map(shape.differing.map(({ path, copy }) => [path, copy]));
  const kept = new Map(
    copiedFiles(found.home, found.session).map(({ path, copy }) => [path, copy]),
  );
  const placeOf = (path: string): string | undefined => {
    const isOdd = odd.some((one) => path === one || path.startsWith(`${one}/`));
    if (!isOdd) return copies.get(path) ?? path;
    const copy = kept.get(path);
    return copy === undefined || entryKind(copy) !== "file" ? undefined : copy;
  };
  return {
    ...files,
    readChunk: (path, ...range) => {
      const place = placeOf(path);
      return place === undefined ? NOTHING : files.readChunk(place, ...range);
    },
    read: (path, ...max) => {
      const place = placeOf(path);
      return place === undefined ? ABSENT : files.read(place, ...max);
    },
    stat: (path) => {
      const place = placeOf(path);
      return place === undefined ? undefined : files.stat(place);
    },
    list: (path) => (placeOf(path) === undefined ? NO_NAMES : files.list(path)),
  };
}

/**
 * A view of a home's files in which missing or truncated files are read from their copies, as they
 * will be restored when the session continues.
 */
export function wholeView(files: Files, found: FoundSession): Files {
  // An entry in the place of a log that is not a file is not bypassed.
  const differing = shorterFiles(found)
    .filter(({ path }) => isFileOrMissing(path))
    .map(({ path, copy }) => ({ path, copy, found: "missing" as const }));
  if (differing.length === 0) return files;
  return repairedView(files, found, { odd: [], missing: [], differing });
}

function isFileOrMissing(path: string): boolean {
  const kind = entryKind(path);
  return kind === undefined || kind === "file";
}

const NOTHING = { ok: true, value: new Uint8Array() } as const;
const ABSENT = { ok: true, value: undefined } as const;
const NO_NAMES = { ok: true, value: [] } as const;
