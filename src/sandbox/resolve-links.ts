import type { TreeView } from "../base/ports/tree-view.ts";
import { parentOf } from "./mounts.ts";

/** As many as the kernel follows. */
const LINKS_MAX = 40;

/**
 * Resolves all links in an absolute path as the system would. `undefined` if the path leads nowhere, or through a link
 * that may not be followed.
 *
 * @param mayFollow decides by the path of a link, in which all links above it are resolved
 */
export function resolveLinks(
  tree: Pick<TreeView, "kindOf" | "linkTarget">,
  path: string,
  mayFollow: (link: string) => boolean = () => true,
): string | undefined {
  const waiting = partsOf(path).reverse();
  let at = "/";
  let links = 0;
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const next = name === ".." ? parentOf(at) : name === "." ? at : join(at, name);
    const kind = next === "/" ? "directory" : tree.kindOf(next);
    // Nothing is below a file, neither `.` nor `..`.
    const isEnd = kind !== "directory" && kind !== "link";
    if (kind === undefined || (isEnd && waiting.length > 0)) return undefined;
    if (kind !== "link") {
      at = next;
      continue;
    }
    const target = mayFollow(next) ? tree.linkTarget(next) : undefined;
    if (target === undefined || ++links > LINKS_MAX) return undefined;
    waiting.push(...partsOf(target).reverse());
    if (target.startsWith("/")) at = "/";
  }
  return at;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

/** Like that of Node without normalizing, which would be most of the work. */
function join(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}
