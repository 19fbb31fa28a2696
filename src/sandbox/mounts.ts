/** How a path looks inside. */
export type Mount =
  /** An empty directory of its own. */
  | { readonly kind: "empty" }
  /** A file that cannot be read. */
  | { readonly kind: "blank" }
  /** As it is outside, or as `from` is. */
  | { readonly kind: "read" | "write"; readonly from?: string | undefined }
  | { readonly kind: "link"; readonly to: string };

/**
 * Which mounts make the tree inside: a path is as the longest rule above it says. Paths are absolute and
 * without links in them, since a mount on a link would be one on what it leads to.
 */
export class Mounts {
  readonly #rules = new Map<string, Mount>();

  /** A later rule for the same path replaces an earlier one. */
  set(path: string, mount: Mount): void {
    this.#rules.set(path, mount);
  }

  /** Takes away the rules for a path and for everything below it. */
  clear(path: string): void {
    for (const ruled of [...this.#rules.keys()]) {
      if (isWithin(ruled, path)) this.#rules.delete(ruled);
    }
  }

  /** Shows a path, unless it is shown already by what is above it. */
  show(path: string): void {
    const mount = this.#at(path);
    if (mount !== undefined && (mount.kind === "empty" || isElsewhere(mount))) {
      this.set(path, { kind: "read" });
    }
  }

  /** How a path looks by the rules so far. */
  kindAt(path: string): Mount["kind"] {
    return this.#at(path)?.kind ?? "read";
  }

  #at(path: string): Mount | undefined {
    return this.#rules.get(path) ?? nearest(this.#rules, path);
  }

  /** Parents before children, without those that say what their parents say. */
  list(): readonly (readonly [string, Mount])[] {
    const sorted = [...this.#rules].sort(([one], [other]) => compare(one, other));
    const kept = new Map<string, Mount>();
    for (const [path, mount] of sorted) {
      const above = nearest(kept, path);
      // Below a link or a file there is nothing to mount on.
      if (above?.kind === "link" || above?.kind === "blank") continue;
      if (!isSame(above ?? { kind: "read" }, mount)) kept.set(path, mount);
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

/** Path by path component, so that what is below a path comes right after it. */
function compare(one: string, other: string): number {
  const [a, b] = [one.replaceAll("/", "\0"), other.replaceAll("/", "\0")];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `/` is its own parent. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** Whether a path is another or below it. */
export function isWithin(path: string, above: string): boolean {
  return path === above || path.startsWith(above === "/" ? "/" : `${above}/`);
}
