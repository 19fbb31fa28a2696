import { basename } from "node:path";
import { ROLES, type Role } from "../../base/role.ts";

/** A process that writes to a home: a role, the supervisor, or a command that a person entered. */
export type Writer = Role | "supervisor" | "command";

/** One file of a home, with its properties that do not depend on its content. */
export interface HomeFile {
  /** Relative to the home. */
  readonly path: string;
  /**
   * `log`: a journal, in logfmt. `lines`: each line is derived from a journal's record. `blocks`:
   * so is each paragraph. `document`: it is written as a whole. `notes`: nothing reads it.
   */
  readonly kind: "log" | "lines" | "blocks" | "document" | "notes";
  /** If there are several, each writes under the file's short lock. */
  readonly writers: readonly Writer[];
  /** Whether people may add lines of their own. */
  readonly isOpenToPeople: boolean;
  /**
   * Where the copy is from which the file is restored: with the clones of its only writer, or where
   * all its writers find it. Absent if its content can be derived from the journals or from
   * `session.json`.
   */
  readonly copy?: "own" | "shared";
  /** Whose short lock protects it, if not its own: the two files change together. */
  readonly lockedBy?: "humanLog";
  /** Whether its writers work on revisions of the session rather than the session itself. */
  readonly isByRevisions?: true;
  /** Created empty at the start, so that `tail -f` finds it. */
  readonly isMadeEmpty?: boolean;
}

type Row<Kind extends HomeFile["kind"]> = HomeFile & { readonly kind: Kind };
type More = Partial<Omit<HomeFile, "path" | "kind" | "writers">>;

function row<Kind extends HomeFile["kind"]>(
  path: string,
  kind: Kind,
  writers: readonly Writer[],
  more: More = {},
): Row<Kind> {
  return { path, kind, writers, isOpenToPeople: false, ...more };
}

const open = { isOpenToPeople: true };
const journal = { copy: "own" } as const;

/**
 * Every file of a home that has a fixed name; those that a person is most likely to edit come
 * first.
 */
export const HOME_FILES = {
  tasks: row("TASKS.md", "document", ["builder"], open),
  /** The newest record of `human.log` that names a text determines its content. */
  request: row("request.md", "document", ["command"], { copy: "shared", lockedBy: "humanLog" }),
  reviews: row("REVIEWS.md", "lines", ["reviewer"], { ...open, isMadeEmpty: true }),
  bugs: row("BUGS.md", "lines", ["tester"], { ...open, isMadeEmpty: true }),
  progress: row("PROGRESS.txt", "blocks", ["builder", "reviewer", "tester"], {
    ...open,
    copy: "shared",
  }),
  changes: row("CHANGES.md", "lines", ["builder", "reviewer"], { ...open, copy: "shared" }),
  stuckHint: row(".stuck-hint.md", "document", ["builder"]),
  sessionJson: row("session.json", "document", ["command"]),
  humanLog: row("logs/human.log", "log", ["command"], { copy: "shared", isMadeEmpty: true }),
  supervisorLog: row("logs/supervisor.log", "log", ["supervisor"], journal),
  plannerLog: row("logs/planner.log", "log", ["planner"], journal),
  builderLog: row("logs/builder.log", "log", ["builder"], journal),
  reviewerLog: row("logs/reviewer.log", "log", ["reviewer"], journal),
  testerLog: row("logs/tester.log", "log", ["tester"], journal),
  milestones: row("logs/milestones.log", "lines", ["builder"], { isMadeEmpty: true }),
  builderDone: row("logs/builder.done", "lines", ["builder"]),
  /** Each revision of the session reports its end here. */
  revisions: row("logs/revisions.log", "lines", ["builder"], { isByRevisions: true }),
  reviewerCheckpoint: row("logs/reviewer.checkpoint", "lines", ["reviewer"]),
  reviewerMilestone: row("logs/reviewer.milestone", "lines", ["reviewer"]),
  testerMilestone: row("logs/tester.milestone", "lines", ["tester"]),
  testerFinal: row("logs/tester.final", "lines", ["tester"]),
  /** The newest report that was written, for people. */
  reportPage: row("report.html", "notes", ["command"]),
  quarantine: row("logs/quarantine.log", "notes", [...ROLES, "supervisor"]),
} as const satisfies Readonly<Record<string, HomeFile>>;

/** A file of a home, by its name in the source. */
export type HomeFileName = keyof typeof HOME_FILES;

/** The files of one kind. */
export type HomeFileOf<Kind extends HomeFile["kind"]> = {
  [Name in HomeFileName]: (typeof HOME_FILES)[Name]["kind"] extends Kind ? Name : never;
}[HomeFileName];

/** Every folder of a home, relative to it. */
export const HOME_FOLDERS = {
  /** Earlier versions of the request. */
  requests: "requests",
  plans: "plans",
  /** What others wrote to files of the home, saved before those were restored. */
  edits: "edits",
  logs: "logs",
  turns: "logs/turns",
  locks: "locks",
} as const;

/** Every file of a home, in the order of the catalogue. */
export const HOME_FILE_NAMES: readonly HomeFileName[] = Object.keys(HOME_FILES).filter(isName);

function isName(name: string): name is HomeFileName {
  return name in HOME_FILES;
}

/** The files whose lines are derived from records. */
export const LINE_FILE_NAMES: readonly HomeFileOf<"lines">[] = HOME_FILE_NAMES.filter(isOfLines);

function isOfLines(name: HomeFileName): name is HomeFileOf<"lines"> {
  return HOME_FILES[name].kind === "lines";
}

/** The properties of a file. */
export function homeFile(name: HomeFileName): HomeFile {
  return HOME_FILES[name];
}

/** The files with a shared copy: any process that finds them changed restores them. */
export const SHARED_FILES: readonly HomeFileName[] = HOME_FILE_NAMES.filter(
  (name) => homeFile(name).copy === "shared",
);

/** The files of its own home that only this role, or the supervisor, writes. */
export function filesOf(writer: Writer): readonly HomeFileName[] {
  return HOME_FILE_NAMES.filter((name) => {
    const { writers } = homeFile(name);
    return !hasSeveralWriters(name) && writers[0] === writer;
  });
}

/** Whether a file has several writers, each of which takes its lock. */
function hasSeveralWriters(name: HomeFileName): boolean {
  const { writers, isByRevisions = false } = homeFile(name);
  return isByRevisions || writers.length > 1;
}

const NAMES_OF_SEVERAL = new Set(
  HOME_FILE_NAMES.filter(hasSeveralWriters).map((name) => basename(HOME_FILES[name].path)),
);

/** The same for a file of any home, by path; only the file name matters. */
export function isWrittenBySeveral(path: string): boolean {
  return NAMES_OF_SEVERAL.has(basename(path));
}

/**
 * Files with a shared copy, grouped with those that change under the same lock, whose owner comes
 * first.
 */
export function sharedFileGroups(): readonly (readonly [HomeFileName, ...HomeFileName[]])[] {
  return SHARED_FILES.filter((name) => homeFile(name).lockedBy === undefined).map((name) => [
    name,
    ...SHARED_FILES.filter((other) => homeFile(other).lockedBy === name),
  ]);
}
