import { basename, join } from "node:path";
import { DOCUMENT_BYTES_MAX } from "../base/limits.ts";
import type { Files } from "../base/files.ts";
import { ROLES } from "../base/role.ts";
import { roleLog, type Home } from "./home.ts";
import { newTicks } from "./tasks-ticks.ts";

/** Copies of one file; where there are so many, the last is the newest. */
export const EDIT_COPIES_MAX = 8;
/** Of a longer file what differs is kept, from there on. */
export const EDIT_BYTES_MAX = DOCUMENT_BYTES_MAX;

/** All staged plans share one name: there may be many, and each could be altered. */
const ANY_PLAN = "plan.md";
const PLAN_NAME = /^[0-9a-f]{64}\.md$/u;

/** What somebody else wrote into a file of the home, which was put back as it has to be. */
export interface EditCopy {
  /** Name of the file, without its folder. */
  readonly file: string;
  /** Path of the copy. */
  readonly path: string;
}

/** Path of the n-th copy of a file, counted from 1. */
export function editCopyPath(home: Home, path: string, n: number): string {
  const name = basename(path);
  const file = PLAN_NAME.test(name) ? ANY_PLAN : name;
  return join(home.edits, `${file}.${String(n)}`);
}

/**
 * What of a file is worth a copy before it is put back; undefined: nothing of somebody else's is in it.
 *
 * @param own as it has to be; undefined: there is to be no such file
 */
export function worthKeeping(
  home: Home,
  path: string,
  { found, own }: { readonly found: Uint8Array; readonly own: Uint8Array | undefined },
): Uint8Array | undefined {
  if (found.length === 0) return undefined;
  const same = commonLength(found, own ?? new Uint8Array());
  const isDocument = [home.tasks, home.request, home.stuckHint].includes(path);
  // What is only shorter has no word of anybody's, but where a person may have meant to take one out.
  if (same === found.length && !isDocument) return undefined;
  if (path === home.tasks && own !== undefined && hasOnlyNewTicks(own, found)) return undefined;
  if (found.length <= EDIT_BYTES_MAX) return found;
  return found.subarray(same, same + EDIT_BYTES_MAX);
}

function hasOnlyNewTicks(own: Uint8Array, found: Uint8Array): boolean {
  return !newTicks(decoded(own), decoded(found)).altered;
}

function commonLength(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length);
  if (Buffer.compare(one.subarray(0, most), other.subarray(0, most)) === 0) return most;
  return one.findIndex((byte, index) => byte !== other[index]);
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The copies that there are, by file; names that wisp does not give are passed over. */
export function editCopies(files: Pick<Files, "list">, home: Home): readonly EditCopy[] {
  const listed = files.list(home.edits);
  const names = new Set(listed.ok ? listed.value : []);
  return keptFiles(home).flatMap((path) =>
    Array.from({ length: EDIT_COPIES_MAX }, (_, index) => editCopyPath(home, path, index + 1))
      .filter((copy) => names.has(basename(copy)))
      .map((copy) => ({ file: basename(path), path: copy })),
  );
}

/** Files of which wisp knows what has to stand in them: what a person is most likely to have meant comes first. */
function keptFiles(home: Home): readonly string[] {
  return [
    ...[home.tasks, home.request, home.reviews, home.bugs, home.progress, home.changes],
    ...[home.stuckHint, home.sessionJson, join(home.plans, ANY_PLAN)],
    ...[home.humanLog, home.supervisorLog, ...ROLES.map((role) => roleLog(home, role))],
    ...[home.milestones, home.builderDone, home.revisions],
    ...[home.reviewerCheckpoint, home.reviewerMilestone, home.testerMilestone, home.testerFinal],
  ];
}
