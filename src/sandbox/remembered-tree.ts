import type { TreeEntryKind, TreeView } from "../base/ports/tree-view.ts";
import { parentOf } from "./mounts.ts";
import { resolveLinks } from "./resolve-links.ts";

/** What no directory lists, though it can be the last part of a path; the first is what follows a last slash. */
const UNLISTED: ReadonlySet<string> = new Set(["", ".", ".."]);

/**
 * A view that asks the system about each path only once, and shows it as it was then. For a single plan, which asks
 * about the same few folders and links again and again. Never for several plans: files come and go between commands,
 * and a command may have planted links.
 */
export function rememberedTree(tree: TreeView): TreeView {
  const listed = new Map<string, ReadonlyMap<string, TreeEntryKind>>();
  const entries = remembered((directory) => {
    const found = tree.entries(directory);
    // A directory that could not be read looks empty, too, and proves nothing about what is in it.
    if (found.length > 0)
      listed.set(directory, new Map(found.map(({ name, kind }) => [name, kind])));
    return found;
  });
  const kindOf = remembered((path) => {
    const parent = parentOf(path);
    const name = path.slice(parent === "/" ? 1 : parent.length + 1);
    const beside = UNLISTED.has(name) ? undefined : listed.get(parent);
    return beside === undefined ? tree.kindOf(path) : beside.get(name);
  });
  const linkTarget = remembered((path) => tree.linkTarget(path));
  // From single links, because the system would read all links of all folders above a path for each path.
  const realPath = remembered((path) => resolveLinks({ kindOf, linkTarget }, path));
  return { kindOf, realPath, linkTarget, entries };
}

function remembered<T>(ask: (path: string) => T): (path: string) => T {
  const answers = new Map<string, { readonly answer: T }>();
  return (path) => {
    const known = answers.get(path) ?? { answer: ask(path) };
    answers.set(path, known);
    return known.answer;
  };
}
