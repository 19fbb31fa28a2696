import type { Oid } from "../../base/oid.ts";
import type { CommitSignature, SignedCommit } from "../../base/ports/brought-in.ts";

/**
 * A path in a commit, as bytes with one character each. Mode 000000 means that the path was
 * deleted.
 */
export interface TreeChange {
  readonly mode: string;
  readonly oid: Oid;
  readonly path: string;
  /** The commit that changed it, when read from a log. */
  readonly commit?: Oid | undefined;
}

/** Precedes a commit's id, to tell it from the modes of a change. */
const MARK = "\u0001";

/** The format that `parseLog` expects, for a log with `--raw` and `-z`. */
export const LOG_FORMAT = "%x01%H%x00%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct%x00%P";

/** The commits of such a log and the changes of each, in the log's order; merges need `-c`. */
export function parseLog(printed: string): {
  readonly commits: readonly SignedCommit[];
  /** The parents of each commit. */
  readonly parents: readonly (readonly Oid[])[];
  readonly changes: readonly TreeChange[];
} {
  const fields = printed.split("\0");
  const commits: SignedCommit[] = [];
  const parents: (readonly Oid[])[] = [];
  const changes: TreeChange[] = [];
  for (let index = 0; index < fields.length;) {
    // The first change of a commit follows a line break.
    const field = (fields[index] ?? "").replace(/^\n/u, "");
    if (field.startsWith(MARK)) {
      const [an, ae, at, cn, ce, ct, names = ""] = fields.slice(index + 1, index + 8);
      const author = signature(an, ae, at);
      commits.push({ sha: field.slice(MARK.length), author, committer: signature(cn, ce, ct) });
      // Without changes, the line break that ends a commit follows its last field.
      parents.push(names.trim() === "" ? [] : names.trim().split(" "));
      index += 8;
    } else if (field.startsWith(":")) {
      changes.push({ ...changeOf(field, fields[index + 1]), commit: commits.at(-1)?.sha });
      index += 2;
    } else index += 1;
  }
  return { commits, parents, changes };
}

/** Parses the output of `diff-tree --raw -z` between two commits. */
export function parseRaw(printed: string): readonly TreeChange[] {
  const fields = printed.split("\0");
  const pairs = Array.from({ length: Math.floor(fields.length / 2) }, (_, pair) => pair * 2);
  return pairs.map((index) => changeOf(fields[index] ?? "", fields[index + 1]));
}

/** Parses the output of `ls-tree -z`. */
export function parseTree(printed: string): readonly TreeChange[] {
  return printed.split("\0").flatMap((entry) => {
    const [, mode, oid, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/su.exec(entry) ?? [];
    return mode === undefined || oid === undefined || path === undefined
      ? []
      : [{ mode, oid, path }];
  });
}

/** Parses the blobs that `cat-file --batch` printed, read as bytes. */
export function parseBatch(printed: string): ReadonlyMap<Oid, string> {
  const blobs = new Map<Oid, string>();
  for (let at = 0; at < printed.length;) {
    const end = printed.indexOf("\n", at);
    if (end === -1) break;
    const [, oid, bytes] = /^([0-9a-f]+) blob (\d+)$/u.exec(printed.slice(at, end)) ?? [];
    at = end + 1;
    if (oid === undefined) continue;
    const content = printed.slice(at, at + Number(bytes));
    blobs.set(oid, content);
    at += content.length + 1;
  }
  return blobs;
}

/** The lines of an output, without empty ones. */
export function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** The entries of an output with `-z`, each of which ends with a NUL. */
export function entriesOf(text: string): readonly string[] {
  return text.split("\0").filter((entry) => entry !== "");
}

/** Decodes as UTF-8 a text that was read with one character per byte. */
export function decodedText(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/**
 * Parses one change: a colon per parent, the parents' modes and the result's own, then likewise the
 * ids.
 */
function changeOf(field: string, path = ""): TreeChange {
  const words = field.replace(/^:+/u, "");
  const parents = field.length - words.length;
  const parts = words.split(" ");
  return { mode: parts[parents] ?? "", oid: parts[parents * 2 + 1] ?? "", path };
}

/** A date that git cannot read counts as 1970. */
function signature(name = "", email = "", seconds = ""): CommitSignature {
  const atMs = Number(seconds) * 1_000;
  return {
    name: decodedText(name),
    email: decodedText(email),
    atMs: Number.isFinite(atMs) ? atMs : 0,
  };
}
