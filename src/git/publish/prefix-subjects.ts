import { REWORDED_COMMITS_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { mustHead, type CloneRepo } from "../clone/clone-repo.ts";
import { rangeInClone } from "../clone/history.ts";
import { gitFailure } from "../command/git-failure.ts";
import { assertOids } from "../command/object-ids.ts";

/** A word of hexadecimal digits that may be a commit's id. */
const NAMES_COMMIT = /\b[0-9a-f]{7,64}\b/gu;
/** A signature, which is invalid once the commit changes. */
const SIGNATURE = /^gpgsig(?:-sha256)? [^\n]*\n(?: [^\n]*\n)*/gmu;

/**
 * Prepends a prefix to the subject of every commit of `base..HEAD` that lacks it. Trees, authors, dates and the
 * order of parents stay the same. The branch moves in one step at the end: a crash leaves the old commits or the
 * new ones, and repeating the call changes nothing. If a message mentions an earlier commit of the range by its id,
 * the new id replaces it.
 *
 * @returns the new id of each commit that changed
 */
export async function prefixSubjects(
  repo: CloneRepo,
  base: Oid,
  prefix: string,
): Promise<Result<ReadonlyMap<Oid, Oid>, GitFailure>> {
  assertOids(base);
  const head = await mustHead(repo);
  if (!head.ok) return head;
  const range = await rangeInClone(repo, base, head.value);
  if (!range.ok) return range;
  const { commits } = range.value;
  if (commits.length === 0) return ok(new Map());
  if (commits.length > REWORDED_COMMITS_MAX) {
    const max = String(REWORDED_COMMITS_MAX);
    return fail(gitFailure("reword", repo.directory, `there are more than ${max} commits`));
  }
  const texts = await textsOf(repo, commits);
  if (!texts.ok) return texts;
  const renamed = await reword(repo, texts.value, bytesOf(prefix));
  const tip = renamed.ok ? renamed.value.get(head.value) : undefined;
  if (!renamed.ok || tip === undefined) return renamed;
  const args = ["update-ref", "-m", "reworded by wisp", "HEAD", tip, head.value];
  const moved = await repo.git.act(args);
  if (!moved.ok) return moved;
  // The new commit has the same files as the old one.
  if (repo.memory.settledAt === head.value) repo.memory.settledAt = tip;
  return renamed;
}

interface CommitText {
  readonly oid: Oid;
  /** The commit object, with one character per byte: a message may use any encoding. */
  readonly text: string;
}

/** The commit objects, in the order of `commits`. */
async function textsOf(
  repo: CloneRepo,
  commits: readonly Oid[],
): Promise<Result<readonly CommitText[], GitFailure>> {
  const stdin = commits.map((oid) => `${oid}\n`).join("");
  const printed = await repo.git.must(["cat-file", "--batch"], { stdin, encoding: "latin1" });
  if (!printed.ok) return printed;
  const texts: CommitText[] = [];
  for (let at = 0; at < printed.value.length;) {
    const end = printed.value.indexOf("\n", at);
    const [, oid, bytes] = /^([0-9a-f]+) commit (\d+)$/u.exec(printed.value.slice(at, end)) ?? [];
    if (oid === undefined || end < 0) {
      return fail(gitFailure("reword", repo.directory, "a commit of the range cannot be read"));
    }
    const begin = end + 1;
    texts.push({ oid, text: printed.value.slice(begin, begin + Number(bytes)) });
    at = begin + Number(bytes) + 1;
  }
  return ok(texts);
}

/** Rewords commits in order; `commits` must list parents before their children. */
async function reword(
  repo: CloneRepo,
  commits: readonly CommitText[],
  prefix: string,
): Promise<Result<ReadonlyMap<Oid, Oid>, GitFailure>> {
  const renamed = new Map<Oid, Oid>();
  for (const { oid, text } of commits) {
    const after = reworded(text, prefix, renamed);
    if (after === text) continue;
    const args = ["hash-object", "-t", "commit", "-w", "--stdin"];
    const made = await repo.git.oid(args, { stdin: after, encoding: "latin1" });
    if (!made.ok) return made;
    renamed.set(oid, made.value);
  }
  return ok(renamed);
}

/** A commit object with the prefix, and with its parents replaced by their new ids. */
function reworded(text: string, prefix: string, renamed: ReadonlyMap<Oid, Oid>): string {
  const end = text.indexOf("\n\n");
  const [header, message] = end < 0 ? [text, ""] : [text.slice(0, end + 1), text.slice(end + 2)];
  const subject = message.trimStart();
  const hasPrefix = subject.startsWith(prefix);
  const parents = header.replaceAll(/^parent ([0-9a-f]+)$/gmu, (line, parent: string) => {
    const now = renamed.get(parent);
    return now === undefined ? line : `parent ${now}`;
  });
  if (hasPrefix && parents === header) return text;
  const named = subject.replaceAll(NAMES_COMMIT, (word) => renamedBy(word, renamed) ?? word);
  return `${parents.replaceAll(SIGNATURE, "")}\n${hasPrefix ? named : prefixed(named, prefix)}`;
}

/** Prepends the prefix, and drops one that differs only in upper and lower case. */
function prefixed(message: string, prefix: string): string {
  const word = prefix.trim();
  const isOther = message.slice(0, word.length).toLowerCase() === word.toLowerCase();
  const rest = isOther ? message.slice(word.length).replace(/^:?[ \t]*/u, "") : message;
  return `${prefix}${rest.trim() === "" ? "Update\n" : rest}`;
}

/** The new id of a commit, cut to the length of the old one. */
function renamedBy(word: string, renamed: ReadonlyMap<Oid, Oid>): string | undefined {
  for (const [before, now] of renamed) {
    if (before.startsWith(word)) return now.slice(0, word.length);
  }
  return undefined;
}

function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
