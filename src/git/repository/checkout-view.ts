import { createHash } from "node:crypto";
import { join } from "node:path";
import type { FileStat, Files } from "../../base/ports/files.ts";
import { userGit, type UserContext } from "../command/git.ts";
import { entriesOf } from "../command/raw-output.ts";
import type { RepositoryChange } from "./repository-view.ts";

/** The maximum number of files that differ from what is committed; a checkout with more is not compared. */
const ENTRIES_MAX = 10_000;
/** Larger files are compared by size, inode and time of change. */
const HASHED_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes that are read in one look; files beyond it are compared like larger ones. */
const LOOK_BYTES_MAX = 256 * 1024 * 1024;

/** A file of the checkout that differs from what is committed, or did before. */
export interface CheckoutFile {
  /** A digest of its content, or what tells contents apart; empty if it is not there. */
  readonly digest: string;
  readonly isTracked: boolean;
}

/**
 * What in a work tree differs from what is committed, untracked and ignored files included, by path; of an ignored folder
 * only that it is there. Without what is below `.wisp` and ignored, which is wisp's own.
 */
export type CheckoutView = ReadonlyMap<string, CheckoutFile>;

interface Seen {
  readonly stamp: string;
  readonly digest: string;
}

interface CheckoutParts {
  readonly git: UserContext;
  readonly files: Pick<Files, "read" | "stat">;
  /** The top of the work tree. */
  readonly directory: string;
}

/** Reads what differs in a work tree. Files that have not changed since the last look are not read again. */
export class CheckoutReader {
  readonly #parts: CheckoutParts;
  #seen = new Map<string, Seen>();

  constructor(parts: CheckoutParts) {
    this.#parts = parts;
  }

  /**
   * Runs one git. Returns a text with the reason if the work tree cannot be read.
   *
   * @param before an earlier view: its files are in the result even if they differ no more
   */
  async read(before?: CheckoutView): Promise<CheckoutView | string> {
    const { git, directory } = this.#parts;
    const status = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"];
    // A submodule has settings of its own, which an engine may have written.
    const args = [...status, "--ignored=matching", "--ignore-submodules=dirty"];
    const variables = { GIT_OPTIONAL_LOCKS: "0" };
    const printed = await userGit(git, directory).must(args, { variables });
    if (!printed.ok) return `git status failed: ${printed.failure.message}`;
    const entries = entriesOf(printed.value).filter((entry) => !isWispsOwn(entry));
    if (entries.length > ENTRIES_MAX) {
      return `more than ${String(ENTRIES_MAX)} files differ from what is committed`;
    }
    const paths = new Map([...(before ?? [])].map(([path, { isTracked }]) => [path, isTracked]));
    for (const entry of entries) {
      paths.set(entry.slice(3), !entry.startsWith("??") && !entry.startsWith("!!"));
    }
    const seen = new Map<string, Seen>();
    let left = LOOK_BYTES_MAX;
    const view = new Map<string, CheckoutFile>();
    for (const [path, isTracked] of paths) {
      const stat = this.#parts.files.stat(join(directory, path));
      const stamp = stat === undefined ? "" : stampOf(stat);
      const known = this.#seen.get(path);
      const mayRead = stat !== undefined && stat.sizeBytes <= Math.min(left, HASHED_BYTES_MAX);
      const isKnown = known?.stamp === stamp;
      if (!isKnown && mayRead && !path.endsWith("/")) left -= stat.sizeBytes;
      const digest = isKnown ? known.digest : this.#digestOf(path, stamp, mayRead);
      seen.set(path, { stamp, digest });
      view.set(path, { digest, isTracked });
    }
    this.#seen = seen;
    return view;
  }

  #digestOf(path: string, stamp: string, mayRead: boolean): string {
    if (stamp === "") return "";
    // What is in an ignored folder is not looked at.
    if (path.endsWith("/")) return "folder";
    if (!mayRead) return stamp;
    const read = this.#parts.files.read(join(this.#parts.directory, path), HASHED_BYTES_MAX);
    if (!read.ok) return read.failure.errno;
    return read.value === undefined ? "" : createHash("sha256").update(read.value).digest("hex");
  }
}

function isWispsOwn(entry: string): boolean {
  const path = entry.slice(3);
  return entry.startsWith("!!") && (path.startsWith(".wisp/") || path === ".wisp");
}

function stampOf({ inode, sizeBytes, changedMs }: FileStat): string {
  return `${String(inode)} ${String(sizeBytes)} ${String(changedMs)}`;
}

/** A file of the checkout as a place (`RepositoryChange`): no reference and no path below the git directory begins so. */
export const CHECKOUT_PLACE = "./";

/** What happened to the files of a checkout between two looks, of which the second knows the files of the first. */
export function checkoutChanges(
  before: CheckoutView,
  after: CheckoutView,
): readonly RepositoryChange[] {
  return [...after].flatMap(([path, now]): readonly RepositoryChange[] => {
    const was = before.get(path);
    if (was?.digest === now.digest) return [];
    const place = `${CHECKOUT_PLACE}${path}`;
    if (now.digest === "") return [{ place, how: "removed" }];
    // What did not differ before was as committed, or was not there.
    const isNew = was === undefined ? !now.isTracked : was.digest === "";
    return [{ place, how: isNew ? "added" : "changed" }];
  });
}
