import type { Git } from "../command/git.ts";
import { entriesOf } from "../command/raw-output.ts";
import { type ModulePlace, objectsIn } from "./module-place.ts";

/** The files of a submodule's commit. */
export interface SubmoduleFiles {
  /** As `ls-tree -l -z` prints them, a character for each byte. */
  readonly listed: string;
  /** Their size together, which is known before any is written. */
  readonly bytes: number;
}

/** The files of a commit in the user's repository of a submodule; undefined if it lacks any of them. */
export async function submoduleFiles(
  git: Git,
  place: ModulePlace,
  commit: string,
): Promise<SubmoduleFiles | undefined> {
  if (place.gitDirectories.length === 0) return undefined;
  const options = { variables: objectsIn(place), encoding: "latin1" as const };
  const listed = await git.ask(["ls-tree", "-r", "-l", "-z", "--full-tree", commit], options);
  if (listed === undefined) return undefined;
  const entries = entriesOf(listed);
  // Of a file that was left out of a partial clone, git says this in place of its size, and does not fail.
  if (entries.some((entry) => /^\d+ blob [0-9a-f]+ +BAD\t/u.test(entry))) return undefined;
  const sizes = entries.map((entry) => Number(/ (\d+)\t/u.exec(entry)?.[1] ?? 0));
  return { listed, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
