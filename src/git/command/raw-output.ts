import type { Oid } from "../../base/oid.ts";
import type { CommitSignature, SignedCommit } from "../../base/ports/repo.ts";

/** A path as a commit has it, or has it not any more (mode 000000); the path as bytes, a character for each. */
export interface TreeChange {
  readonly mode: string;
  readonly oid: Oid;
  readonly path: string;
  /** Of a log: the commit that changed it. */
  readonly commit?: Oid | undefined;
}

/** Stands before the id of a commit, where the modes of a change may stand as well. */
const MARK = "\u0001";

/** What `parseLog` reads, of a log with `--raw` and `-z`. */
export const LOG_FORMAT = "%x01%H%x00%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct";

/** The commits of such a log, and what each changed, in its order; merges with `-c`. */
export function parseLog(printed: string): {
  readonly commits: readonly SignedCommit[];
  readonly changes: readonly TreeChange[];
} {
  const fields = printed.split("\0");
  const commits: SignedCommit[] = [];
  const changes: TreeChange[] = [];
  for (let index = 0; index < fields.length;) {
    // A line break stands before the first change.
    const field = (fields[index] ?? "").replace(/^\n/u, "");
    if (field.startsWith(MARK)) {
      const [an, ae, at, cn, ce, ct] = fields.slice(index + 1, index + 7);
      const author = signature(an, ae, at);
      commits.push({ sha: field.slice(MARK.length), author, committer: signature(cn, ce, ct) });
      index += 7;
    } else if (field.startsWith(":")) {
      changes.push({ ...changeOf(field, fields[index + 1]), commit: commits.at(-1)?.sha });
      index += 2;
    } else index += 1;
  }
  return { commits, changes };
}

/** What a `diff-tree` between two commits printed with `--raw` and `-z`. */
export function parseRaw(printed: string): readonly TreeChange[] {
  const fields = printed.split("\0");
  const pairs = Array.from({ length: Math.floor(fields.length / 2) }, (_, pair) => pair * 2);
  return pairs.map((index) => changeOf(fields[index] ?? "", fields[index + 1]));
}

/** What `ls-tree -z` printed. */
export function parseTree(printed: string): readonly TreeChange[] {
  return printed.split("\0").flatMap((entry) => {
    const [, mode, oid, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/su.exec(entry) ?? [];
    return mode === undefined || oid === undefined || path === undefined
      ? []
      : [{ mode, oid, path }];
  });
}

/** The contents of the blobs that `cat-file --batch` printed, read as bytes. */
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

/** The lines of an output, without the empty one after the last line break. */
export function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** What an output of `-z` lists: each entry ends with a NUL. */
export function entriesOf(text: string): readonly string[] {
  return text.split("\0").filter((entry) => entry !== "");
}

/** Text whose bytes were read as characters. */
export function decodedText(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** A colon for each parent; the modes of the parents and its own; the same of the ids. */
function changeOf(field: string, path = ""): TreeChange {
  const words = field.replace(/^:+/u, "");
  const parents = field.length - words.length;
  const parts = words.split(" ");
  return { mode: parts[parents] ?? "", oid: parts[parents * 2 + 1] ?? "", path };
}

/** A date that git cannot read is long ago. */
function signature(name = "", email = "", seconds = ""): CommitSignature {
  const atMs = Number(seconds) * 1_000;
  return {
    name: decodedText(name),
    email: decodedText(email),
    atMs: Number.isFinite(atMs) ? atMs : 0,
  };
}
