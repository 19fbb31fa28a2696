import { basename } from "node:path";
import { ROLES, type Role } from "../../base/role.ts";

/** A process that writes into a home: a role, the supervisor, or a command that a person gave. */
export type Writer = Role | "supervisor" | "command";

/** One file of a home, and everything that holds for it whatever stands in it. */
export interface HomeFile {
  /** Below the home. */
  readonly path: string;
  /**
   * `log`: a journal, in logfmt. `lines`: each line follows from a record of a journal. `blocks`: so does each
   * paragraph. `document`: it is written as a whole. `notes`: nothing is read from it.
   */
  readonly kind: "log" | "lines" | "blocks" | "document" | "notes";
  /** Several write under the short lock of the file. */
  readonly writers: readonly Writer[];
  /** Whether people may write lines of their own into it. */
  readonly isOpenToPeople: boolean;
  /**
   * Where a copy lies from which it is put back: beside the clones of its only writer, or where all who write it
   * find it. Absent: what has to stand there follows from the journals, or from `session.json`.
   */
  readonly copy?: "own" | "shared";
  /** Whose short lock is taken to write it, where that is not its own: the two change together. */
  readonly lockedBy?: "humanLog";
  /** Whether those who write it work on revisions of the session, and not on the session itself. */
  readonly isByRevisions?: true;
  /** There from the start, and empty, so that `tail -f` finds it. */
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

/** Every file of a home that has one name; what a person is most likely to have edited comes first. */
export const HOME_FILES = {
  tasks: row("TASKS.md", "document", ["builder"], open),
  /** The newest record of `human.log` that names a text says what it holds. */
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
  /** Each revision of the session tells it of its end. */
  revisions: row("logs/revisions.log", "lines", ["builder"], { isByRevisions: true }),
  reviewerCheckpoint: row("logs/reviewer.checkpoint", "lines", ["reviewer"]),
  reviewerMilestone: row("logs/reviewer.milestone", "lines", ["reviewer"]),
  testerMilestone: row("logs/tester.milestone", "lines", ["tester"]),
  testerFinal: row("logs/tester.final", "lines", ["tester"]),
  quarantine: row("logs/quarantine.log", "notes", [...ROLES, "supervisor"]),
} as const satisfies Readonly<Record<string, HomeFile>>;

/** A file of a home, by what the source calls it. */
export type HomeFileName = keyof typeof HOME_FILES;

/** Those of one kind. */
export type HomeFileOf<Kind extends HomeFile["kind"]> = {
  [Name in HomeFileName]: (typeof HOME_FILES)[Name]["kind"] extends Kind ? Name : never;
}[HomeFileName];

/** Every folder of a home, below it. */
export const HOME_FOLDERS = {
  /** Earlier versions of the request. */
  requests: "requests",
  plans: "plans",
  /** What others wrote into files of the home, kept before those were put back. */
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

/** Those whose lines follow from records. */
export const LINE_FILE_NAMES: readonly HomeFileOf<"lines">[] = HOME_FILE_NAMES.filter(isOfLines);

function isOfLines(name: HomeFileName): name is HomeFileOf<"lines"> {
  return HOME_FILES[name].kind === "lines";
}

/** What holds for a file. */
export function homeFile(name: HomeFileName): HomeFile {
  return HOME_FILES[name];
}

/** Those of which a copy lies where everybody finds it: whoever meets them changed puts them back. */
export const SHARED_FILES: readonly HomeFileName[] = HOME_FILE_NAMES.filter(
  (name) => homeFile(name).copy === "shared",
);

/** Files of its own home that a role, or the supervisor, alone writes. */
export function filesOf(writer: Writer): readonly HomeFileName[] {
  return HOME_FILE_NAMES.filter((name) => {
    const { writers } = homeFile(name);
    return !isOfSeveral(name) && writers[0] === writer;
  });
}

/** Whether several write it, each under its lock. */
function isOfSeveral(name: HomeFileName): boolean {
  const { writers, isByRevisions = false } = homeFile(name);
  return isByRevisions || writers.length > 1;
}

const NAMES_OF_SEVERAL = new Set(
  HOME_FILE_NAMES.filter(isOfSeveral).map((name) => basename(HOME_FILES[name].path)),
);

/** The same of a file of any home: of its path the name alone counts. */
export function isWrittenBySeveral(path: string): boolean {
  return NAMES_OF_SEVERAL.has(basename(path));
}

/** Files with a copy that all find who write them, and those together that change under one lock: its own first. */
export function sharedFileGroups(): readonly (readonly [HomeFileName, ...HomeFileName[]])[] {
  return SHARED_FILES.filter((name) => homeFile(name).lockedBy === undefined).map((name) => [
    name,
    ...SHARED_FILES.filter((other) => homeFile(other).lockedBy === name),
  ]);
}
