import { dirname, join } from "node:path";
import type { LogName, Role } from "../../base/role.ts";
import { assert } from "../../base/assert.ts";
import { HOME_FILES, HOME_FOLDERS, type HomeFileName } from "./catalogue.ts";

type PathName = "directory" | HomeFileName | keyof typeof HOME_FOLDERS;

/**
 * Where all files and folders of a session are (design, "Where things live"). All paths are
 * absolute.
 */
export type Home = Readonly<Record<PathName, string>>;

const NAMES = [
  ...Object.entries(HOME_FILES).map(([name, { path }]) => [name, path] as const),
  ...Object.entries(HOME_FOLDERS),
];

/** The paths of a session's home. */
export function homeAt(directory: string): Home {
  const home: Record<string, string> = { directory };
  for (const [name, path] of NAMES) home[name] = join(directory, path);
  assert(isHome(home), "every path of a home is in the catalogue");
  return home;
}

function isHome(paths: Readonly<Record<string, string>>): paths is Home {
  return NAMES.every(([name]) => paths[name] !== undefined);
}

/** The journal of a role: `logs/<role>.log`. */
export function roleLog(home: Home, role: Role): string {
  return home[`${role}Log`];
}

/** The path of a log of records. */
export function logPath(home: Home, log: LogName): string {
  return home[`${log}Log`];
}

/** The lease of a role or of the supervisor. */
export function leasePath(home: Home, holder: Role | "supervisor"): string {
  return join(home.locks, `${holder}.lock`);
}

/** An earlier version of the request, counted from 0. */
export function requestPath(home: Home, version: number): string {
  return join(home.requests, `${String(version)}.md`);
}

/** A staged plan. */
export function planPath(home: Home, sha256: string): string {
  return join(home.plans, `${sha256}.md`);
}

const REVISION = /^revision-([1-9]\d{0,5})$/u;

/**
 * The number of the revision whose home has this folder name; undefined if it is not a revision's.
 */
export function revisionNumber(name: string): number | undefined {
  const digits = REVISION.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The folder name of a revision's home, inside its parent's home. */
export function revisionName(revision: number): string {
  return `revision-${String(revision)}`;
}

/** The home of a revision. */
export function revisionHome(parent: Home, revision: number): Home {
  return homeAt(join(parent.directory, revisionName(revision)));
}

/** The home of the session that a revision changes. */
export function parentHome(revision: Home): Home {
  return homeAt(dirname(revision.directory));
}
