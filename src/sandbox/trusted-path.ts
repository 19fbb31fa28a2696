import { join } from "node:path";
import { isWithin, parentOf } from "./mounts.ts";
import type { SandboxWorld } from "./world.ts";

/** As many as the kernel follows. */
const LINKS_MAX = 40;

/**
 * Resolves all links in a path as the system would, except links in folders that an engine may write, because an
 * engine chose their targets. `undefined` if the path leads nowhere, or through such a link.
 *
 * @param unsafe folders that an engine may write; a link in place of such a folder itself is the user's
 */
export function trustedPath(
  { tree }: Pick<SandboxWorld, "tree">,
  path: string,
  unsafe: readonly string[],
): string | undefined {
  const isPlanted = (link: string) =>
    unsafe.some((folder) => link !== folder && isWithin(link, folder));
  const waiting = partsOf(path);
  let at = "/";
  let links = 0;
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const next = name === ".." ? parentOf(at) : join(at, name);
    const kind = next === "/" ? "directory" : tree.kindOf(next);
    if (kind === undefined) return undefined;
    if (kind !== "link") {
      at = next;
      continue;
    }
    const target = isPlanted(next) ? undefined : tree.linkTarget(next);
    if (target === undefined || ++links > LINKS_MAX) return undefined;
    waiting.unshift(...partsOf(target));
    if (target.startsWith("/")) at = "/";
  }
  return at;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}
