import { createHash } from "node:crypto";
import { present } from "../../src/base/assert.ts";
import type { Oid } from "../../src/base/oid.ts";

export type Tree = ReadonlyMap<string, string>;

/** A commit, with all files of its work tree. */
export interface SimCommit {
  readonly sha: Oid;
  readonly parent: Oid | undefined;
  readonly subject: string;
  readonly tree: Tree;
}

/** The parts of the user's repository that a session uses. Everything in it is durable. */
export class SimRepository {
  readonly commits = new Map<Oid, SimCommit>();
  readonly rescues = new Map<string, Oid>();
  readonly base: Oid;
  /** Of the session branch. */
  head: Oid;
  /** Whether a person has the session's branch checked out. */
  isCheckedOut = false;

  constructor(files: Tree = new Map(baseFiles())) {
    const base = this.commit(undefined, "Start", files);
    this.base = base.sha;
    this.head = base.sha;
  }

  /** The same content on the same parent is the same commit. */
  commit(parent: Oid | undefined, subject: string, tree: Tree): SimCommit {
    const text = JSON.stringify([parent, subject, treeId(tree)]);
    const sha = createHash("sha1").update(text).digest("hex");
    const made = this.commits.get(sha) ?? { sha, parent, subject, tree };
    this.commits.set(sha, made);
    return made;
  }

  at(sha: Oid): SimCommit {
    return present(this.commits.get(sha), `there is a commit ${sha}`);
  }

  isAncestor(ancestor: Oid, of: Oid): boolean {
    for (let at: Oid | undefined = of; at !== undefined; at = this.commits.get(at)?.parent) {
      if (at === ancestor) return true;
    }
    return false;
  }

  /** Of `base..head`, oldest first. */
  between(base: Oid, head: Oid): readonly SimCommit[] {
    const found: SimCommit[] = [];
    for (let at: Oid | undefined = head; at !== undefined && !this.#isUpTo(at, base);) {
      const commit = this.at(at);
      found.push(commit);
      at = commit.parent;
    }
    return found.reverse();
  }

  /** Whether a commit is `base` or before it. Most walks reach `base` itself. */
  #isUpTo(at: Oid, base: Oid): boolean {
    return at === base || (!this.isAncestor(base, at) && this.isAncestor(at, base));
  }

  changed(start: Oid, end: Oid): ReadonlyMap<string, "added" | "modified" | "deleted"> {
    return difference(this.at(start).tree, this.at(end).tree);
  }

  /** Our commits rebased onto another, or undefined if one of them conflicts. */
  replay(commits: readonly SimCommit[], onto: Oid): Oid | undefined {
    let head = onto;
    for (const commit of commits) {
      const before = this.at(present(commit.parent, "our commits have parents")).tree;
      const under = this.at(head).tree;
      const tree = new Map(under);
      for (const path of difference(before, commit.tree).keys()) {
        const after = commit.tree.get(path);
        if (under.get(path) !== before.get(path) && under.get(path) !== after) return undefined;
        if (after === undefined) tree.delete(path);
        else tree.set(path, after);
      }
      // A commit that became empty is dropped.
      if (difference(under, tree).size > 0) head = this.commit(head, commit.subject, tree).sha;
    }
    return head;
  }
}

/** One file per byte value, as places for remarks. */
function* baseFiles(): Generator<[string, string]> {
  yield ["README.md", "# project\n"];
  for (let byte = 0; byte < 256; byte++) {
    const name = byte.toString(16).padStart(2, "0");
    yield [`src/base/${name}.js`, `${name}\n`];
  }
}

export function difference(
  before: Tree,
  after: Tree,
): ReadonlyMap<string, "added" | "modified" | "deleted"> {
  const changed = new Map<string, "added" | "modified" | "deleted">();
  for (const [path, text] of after) {
    if (!before.has(path)) changed.set(path, "added");
    else if (before.get(path) !== text) changed.set(path, "modified");
  }
  for (const path of before.keys()) if (!after.has(path)) changed.set(path, "deleted");
  return changed;
}

export function treeId(tree: Tree): Oid {
  const entries = [...tree].sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha1").update(JSON.stringify(entries)).digest("hex");
}
