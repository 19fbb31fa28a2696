import { need } from "../../base/fatal.ts";
import { clip } from "../../work/clip.ts";
import { commandPlaces, type CommandPlaces } from "./command-places.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { MadeTests } from "./harmed-tests.ts";

const NAMED = "a test may not name a folder of this session by its absolute path:";

/**
 * Returns why a tester's commit is refused: a file that it changed names a clone, a verify tree or the checkout by an
 * absolute path, so it would test what is there, whichever commit it is run for. Undefined if none does.
 */
export async function namedFolders(
  context: RoleContext<"tester">,
  { clone, at, made }: MadeTests,
): Promise<string | undefined> {
  const places = commandPlaces(context);
  const named: string[] = [];
  for (const { path, status } of need(await clone.changedPaths(at, made))) {
    const text = status === "deleted" ? undefined : need(await clone.show(made, path));
    const root = text === undefined ? undefined : rootIn(text, places);
    if (root === undefined) continue;
    // What was there before is the project's own.
    const before = need(await clone.show(at, path));
    if (before?.includes(root) !== true) named.push(`${path} names ${root}`);
  }
  return named.length === 0 ? undefined : clip(`${NAMED} ${named.join(", ")}`);
}

/**
 * The first of the session's folders that stands in a text. Those of fewer than three names, such as `/app`, may be
 * anything there.
 */
export function rootIn(text: string, { roots }: Pick<CommandPlaces, "roots">): string | undefined {
  return roots.find((root) => root.split("/").length > 3 && holds(text, root));
}

function holds(text: string, root: string): boolean {
  return text
    .split(root)
    .slice(1)
    .some((rest) => !/^[\p{L}\p{N}_.-]/u.test(rest));
}

/** The note for the next turn's prompt after a turn that was refused for such a test; "" otherwise. */
export function foldersPrompt(lastFailure: string | undefined): string {
  if (!isFoldersFailure(lastFailure)) return "";
  return `What your last turn left was refused, and is not there any more: ${lastFailure}\nIts tests are run in other folders, too: write paths relative to the root of the repository, or to the test's own file.`;
}

/** Whether an attempt failed because its tests name such a folder. */
export function isFoldersFailure(lastFailure: string | undefined): lastFailure is string {
  return lastFailure?.startsWith(NAMED) === true;
}
