import type { LinkEnd } from "../base/repo.ts";

/** Links of a tree by path; undefined: what it says was not read. */
export type TreeLinks = ReadonlyMap<string, string | undefined>;

/** Systems give up after 32 to 63 links on the way. */
const FOLLOWED_MAX = 63;
/** Parts of paths on the way: far above any that is meant, and links may name each other several times each. */
const STEPS_MAX = 500;

/** As git and file systems of other letters know its directory. */
const GIT_DIRECTORY = /^(?:\.git|git~1)[ .]*$/i;
const ABSOLUTE = /^(?:[/\\]|[a-z]:)/i;

/**
 * Where a link leads that stands at `path` in a tree; `undefined`: to something in the tree, be it there or not. It is
 * followed through other links of the tree, and where a backslash separates as well: only what stays inside by either
 * is said to. Pure, total and bounded.
 */
export function linkEnd(path: string, target: string, links: TreeLinks): LinkEnd | undefined {
  const end = follow(path, target, links);
  if (end !== undefined || !target.includes("\\")) return end;
  return follow(path, target.replaceAll("\\", "/"), links);
}

function follow(path: string, target: string, links: TreeLinks): LinkEnd | undefined {
  if (ABSOLUTE.test(target)) return "absolute";
  const at = path.split("/").slice(0, -1);
  // The next part last, so that taking it is cheap.
  const ahead = target.split("/").reverse();
  let followed = 0;
  for (let step = 0; step < STEPS_MAX; step++) {
    const part = ahead.pop();
    if (part === undefined) return undefined;
    if (part === ".." && at.pop() === undefined) return "outside";
    if (part === "" || part === "." || part === "..") continue;
    if (GIT_DIRECTORY.test(part)) return "git";
    const next = [...at, part].join("/");
    if (!links.has(next)) {
      at.push(part);
      continue;
    }
    const further = links.get(next);
    if (further === undefined) return "unknown";
    if (ABSOLUTE.test(further)) return "absolute";
    if (++followed > FOLLOWED_MAX) return "endless";
    ahead.push(...further.split("/").reverse());
  }
  return "unknown";
}
