import { isWithin } from "./mounts.ts";
import { resolveLinks } from "./resolve-links.ts";
import type { SandboxWorld } from "./world.ts";

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
  return resolveLinks(tree, path, (link) => !isPlanted(link));
}
