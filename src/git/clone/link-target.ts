import type { LinkEnd } from "../../base/ports/repo.ts";

/** What each link of a tree says, by path; undefined: it was not read. */
export type TreeLinks = ReadonlyMap<string, string | undefined>;

/** A path that is a link, or above one: what is on the way to links, and nothing else of the tree. */
interface Place {
  /** What the link says, its next part last; undefined: it was not read. */
  link: { readonly parts: readonly string[] | "absolute" | undefined } | undefined;
  readonly below: Map<string, Place>;
}

/** Systems give up after 32 to 63 links on the way. */
const FOLLOWED_MAX = 63;
/** Parts of paths on the way: far above any that is meant, and links may name each other several times each. */
const STEPS_MAX = 500;
/** Parts of the paths of all links: a tree that has more was made to have them. */
const PARTS_MAX = 500_000;

/** As git and file systems of other letters know its directory. */
const GIT_DIRECTORY = /^(?:\.git|git~1)[ .]*$/i;
const ABSOLUTE = /^(?:[/\\]|[a-z]:)/i;

/**
 * Where links of a tree lead, by path and what they say; `undefined`: to something in the tree, be it there or not.
 * They are followed through other links of the tree, and where a backslash separates as well: only what stays inside
 * by either is said to. Pure, total and bounded.
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
  // Where it is, and what is above; without a place where no link is below.
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
