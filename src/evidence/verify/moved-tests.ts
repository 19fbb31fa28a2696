import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { CommittedFile } from "../../base/ports/repo.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { fileOfIdentity } from "../printed/test-identity.ts";

/** Files that are elsewhere at the end of a range, by where they were, with not a byte changed. */
export type MovedFiles = ReadonlyMap<string, string>;

/**
 * Which files of a tree are elsewhere in a later one. One that is still where it was has not moved, and of several with
 * the same content it cannot be told which went where. Pure.
 */
export function movedFiles(
  before: readonly CommittedFile[],
  after: readonly CommittedFile[],
): MovedFiles {
  const [was, is] = [pathsOf(before), pathsOf(after)];
  const gone = onlyByContent(before.filter(({ path }) => !is.has(path)));
  const come = onlyByContent(after.filter(({ path }) => !was.has(path)));
  return new Map(
    [...gone].flatMap(([oid, from]) => {
      const to = come.get(oid);
      return from === undefined || to === undefined ? [] : [[from, to] as const];
    }),
  );
}

function pathsOf(files: readonly CommittedFile[]): ReadonlySet<string> {
  return new Set(files.map(({ path }) => path));
}

/** The path of each content; undefined if there are several. */
function onlyByContent(files: readonly CommittedFile[]): ReadonlyMap<Oid, string | undefined> {
  const paths = new Map<Oid, string | undefined>();
  for (const { oid, path } of files) paths.set(oid, paths.has(oid) ? undefined : path);
  return paths;
}

/** What the tests of moved files are called now: a test in a file that only moved is the same test. */
export function namesAfterMoves(names: readonly string[], moved: MovedFiles): readonly string[] {
  return names.map((name) => {
    const file = fileOfIdentity(name);
    const to = file === undefined ? undefined : moved.get(file);
    return file === undefined || to === undefined ? name : `${to}${name.slice(file.length)}`;
  });
}

/** The files that a range only moved. */
export async function movedIn(
  { clone: open }: Pick<RoleContext, "clone">,
  { start, end }: { readonly start: Oid; readonly end: Oid },
): Promise<MovedFiles> {
  const clone = await open();
  need(await clone.bring(end));
  const [before, after] = await Promise.all([clone.filesAt(start), clone.filesAt(end)]);
  return movedFiles(need(before), need(after));
}
