import type { LinkEnd } from "../../base/ports/brought-in.ts";

/** The target of each link in a tree, by path; `undefined` if it was not read. */
export type TreeLinks = ReadonlyMap<string, string | undefined>;

/** A node in the tree of paths that are links or lead to links; other paths are left out. */
interface Place {
  /** The link's target split into parts, in reverse order; `undefined` if it was not read. */
  link: { readonly parts: readonly string[] | "absolute" | undefined } | undefined;
  readonly below: Map<string, Place>;
}

/** Operating systems give up after 32 to 63 links in one path. */
const FOLLOWED_MAX = 63;
/**
 * Limits the path parts visited: far more than a real path has, because links may repeat each
 * other.
 */
const STEPS_MAX = 500;
/** Limits the path parts of all links together: a tree with more was built to exceed it. */
const PARTS_MAX = 500_000;

/** `.git`, in the spellings that git and case-insensitive file systems accept. */
const GIT_DIRECTORY = /^(?:\.git|git~1)[ .]*$/i;
const ABSOLUTE = /^(?:[/\\]|[a-z]:)/i;

/**
 * Where a link leads, given its path and target; `undefined` if it stays inside the tree, whether
 * or not the destination exists. Links are followed through the tree's other links. A target with
 * backslashes is also resolved with them as separators, and must stay inside both ways. Pure, total
 * and bounded.
 */
export function linkEnds(links: TreeLinks): (path: string, target: string) => LinkEnd | undefined {
  const root = placesOf(links);
  return (path, target) => {
    if (root === undefined) return "unknown";
    const end = follow(root, path, target);
    if (end !== undefined || !target.includes("\\")) return end;
    return follow(root, path, target.replaceAll("\\", "/"));
  };
}

function placesOf(links: TreeLinks): Place | undefined {
  const root: Place = { link: undefined, below: new Map() };
  let count = 0;
  for (const [path, target] of links) {
    const parts = path.split("/");
    count += parts.length;
    if (count > PARTS_MAX) return undefined;
    const place = parts.reduce((at, part) => {
      const below = at.below.get(part) ?? { link: undefined, below: new Map() };
      at.below.set(part, below);
      return below;
    }, root);
    place.link = { parts: target === undefined ? undefined : partsOf(target) };
  }
  return root;
}

function partsOf(target: string): readonly string[] | "absolute" {
  return ABSOLUTE.test(target) ? "absolute" : target.split("/").reverse();
}

function follow(root: Place, path: string, target: string): LinkEnd | undefined {
  const parts = partsOf(target);
  if (parts === "absolute") return "absolute";
  // The current position and its parents; `undefined` for a directory with no links below it.
  const at: (Place | undefined)[] = [root];
  for (const part of path.split("/").slice(0, -1)) at.push(at.at(-1)?.below.get(part));
  const ahead = [...parts];
  let followed = 0;
  for (let step = 0; step + ahead.length <= STEPS_MAX; step++) {
    const part = ahead.pop();
    if (part === undefined) return undefined;
    if (part === "..") at.pop();
    if (at.length === 0) return "outside";
    if (part === "" || part === "." || part === "..") continue;
    if (GIT_DIRECTORY.test(part)) return "git";
    const next = at.at(-1)?.below.get(part);
    if (next?.link === undefined) {
      at.push(next);
      continue;
    }
    const further = next.link.parts ?? "unknown";
    if (further === "absolute" || further === "unknown") return further;
    if (++followed > FOLLOWED_MAX) return "endless";
    ahead.push(...further);
  }
  return "unknown";
}
