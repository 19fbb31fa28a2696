/** What a path shows inside the sandbox. */
export type Mount =
  /** An empty directory. */
  | { readonly kind: "empty" }
  /** A file that cannot be read. */
  | { readonly kind: "blank" }
  /** The same as outside, or what is at `from`. */
  | { readonly kind: "read" | "write"; readonly from?: string | undefined }
  | { readonly kind: "link"; readonly to: string };

/**
 * The rules from which the tree inside is made: the longest rule at or above a path decides. Paths are absolute and
 * without links, because a mount on a link would land on the link's target.
 */
export class Mounts {
  readonly #rules = new Map<string, Mount>();
  readonly #ground: Mount;

  /** @param ground what a path without any rule shows: the same as outside, or nothing of it */
  constructor(ground: "read" | "empty" = "read") {
    this.#ground = { kind: ground };
  }

  /** Sets the rule for a path, replacing an earlier one. */
  set(path: string, mount: Mount): void {
    this.#rules.set(path, mount);
  }

  /** Removes the rules for a path and for everything below it. */
  clear(path: string): void {
    for (const ruled of this.#rules.keys()) {
      if (isWithin(ruled, path)) this.#rules.delete(ruled);
    }
  }

  /** Shows a path, unless a rule above already shows it. */
  show(path: string): void {
    const mount = this.#at(path);
    if (mount.kind === "empty" || isElsewhere(mount)) {
      this.set(path, { kind: "read" });
    }
  }

  /** The kind of mount that the current rules give a path. */
  kindAt(path: string): Mount["kind"] {
    return this.#at(path).kind;
  }

  #at(path: string): Mount {
    return this.#rules.get(path) ?? nearest(this.#rules, path) ?? this.#ground;
  }

  /** The mounts, parents before children, without those that repeat their parent's. */
  list(): readonly (readonly [string, Mount])[] {
    const keyed = [...this.#rules].map((rule) => ({ rule, key: orderKey(rule[0]) }));
    const sorted = keyed.sort((one, other) => compare(one.key, other.key));
    const kept = new Map<string, Mount>();
    for (const {
      rule: [path, mount],
    } of sorted) {
      const above = nearest(kept, path);
      // Nothing can be mounted below a link or a file.
      if (above?.kind === "link" || above?.kind === "blank") continue;
      if (!isSame(above ?? this.#ground, mount)) kept.set(path, mount);
    }
    return [...kept];
  }
}

function nearest(rules: ReadonlyMap<string, Mount>, path: string): Mount | undefined {
  for (let at = parentOf(path); at !== "/"; at = parentOf(at)) {
    const rule = rules.get(at);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

function isSame(above: Mount, mount: Mount): boolean {
  return above.kind === mount.kind && isPlain(above) && isPlain(mount);
}

function isPlain(mount: Mount): boolean {
  return (mount.kind === "read" || mount.kind === "write") && !isElsewhere(mount);
}

function isElsewhere(mount: Mount): boolean {
  return "from" in mount && mount.from !== undefined;
}

/** Orders by path component, so that what is below a path follows right after it. */
function orderKey(path: string): string {
  return path.replaceAll("/", "\0");
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The parent of a path; `/` is its own parent. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** Whether a path is `above` itself or below it. */
export function isWithin(path: string, above: string): boolean {
  if (!path.startsWith(above)) return false;
  // Compared without a new string, because a plan asks this ten thousand times.
  return path.length === above.length || above === "/" || path[above.length] === "/";
}
