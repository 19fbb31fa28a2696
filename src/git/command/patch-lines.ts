import type { Oid } from "../../base/oid.ts";
import type { AddedLine, PatchedCommit, PatchedFile } from "../../base/ports/patches.ts";

/** The options of a diff or a log whose output is parsed here, whatever the user's settings say. */
export const PATCH_OPTIONS: readonly string[] = [
  ...["--no-color", "--no-ext-diff", "--no-textconv", "--unified=0", "--inter-hunk-context=0"],
  ...["--src-prefix=a/", "--dst-prefix=b/"],
];

/** The format of a log that `parsePatchLog` reads: commit, address of the author, and message. */
export const PATCH_LOG_FORMAT = "%x01%H%x00%ae%x00%B%x00";

/** Starts the header of a commit. Lines of a patch are counted, so a file that holds one starts none. */
const MARK = "\u0001";

/** The files of a unified diff. A last hunk that was cut is read as far as it goes. Total. */
export function parsePatch(printed: string): readonly PatchedFile[] {
  return filesFrom(printed.split("\n"), 0).files;
}

/** The commits of a log with patches, in the log's order. Total. */
export function parsePatchLog(printed: string): readonly PatchedCommit[] {
  const lines = printed.split("\n");
  const commits: PatchedCommit[] = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at]?.startsWith(MARK) !== true) {
      at += 1;
      continue;
    }
    const from = at;
    for (let ends = 0; at < lines.length && ends < HEADER_ENDS; at += 1)
      ends += (lines[at] ?? "").split("\0").length - 1;
    const header = lines.slice(from, at).join("\n").slice(MARK.length);
    const [sha = "", email = "", message = ""] = header.split("\0");
    const { files, next } = filesFrom(lines, at);
    commits.push({ sha: sha satisfies Oid, email, message, files });
    at = next;
  }
  return commits;
}

/** The NULs in the header of a commit. */
const HEADER_ENDS = 3;

interface OpenFile {
  path: string;
  readonly added: AddedLine[];
  readonly removed: string[];
}

/** The files of the patch that begins at a line, and the line after it. */
function filesFrom(
  lines: readonly string[],
  start: number,
): { readonly files: readonly PatchedFile[]; readonly next: number } {
  const files: OpenFile[] = [];
  let at = start;
  while (at < lines.length && lines[at]?.startsWith(MARK) !== true) {
    const line = lines[at] ?? "";
    at += 1;
    if (line.startsWith("diff --git ")) files.push({ path: "", added: [], removed: [] });
    const file = files.at(-1);
    if (file === undefined) continue;
    if (line.startsWith("--- ") || line.startsWith("+++ ")) file.path = pathOf(line) ?? file.path;
    const hunk = HUNK.exec(line);
    if (hunk !== null) at = readHunk(lines, at, hunk, file);
  }
  return { files: files.filter(({ path }) => path !== ""), next: at };
}

/** The counts are absent where they are 1. */
const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/u;

/** Reads as many lines as the header says, whatever they look like; returns the line after them. */
function readHunk(
  lines: readonly string[],
  start: number,
  [, before = "1", first = "1", after = "1"]: RegExpExecArray,
  file: OpenFile,
): number {
  let [old, now, line, at] = [Number(before), Number(after), Number(first), start];
  for (; at < lines.length && (old > 0 || now > 0); at += 1) {
    const text = lines[at] ?? "";
    // Says that the line before has no line break at its end.
    if (text.startsWith("\\")) continue;
    if (text.startsWith("-")) {
      file.removed.push(text.slice(1));
      old -= 1;
    } else if (text.startsWith("+")) {
      file.added.push({ line, text: text.slice(1) });
      [now, line] = [now - 1, line + 1];
    } else [old, now, line] = [old - 1, now - 1, line + 1];
  }
  return at;
}

/** The path in a header line; undefined for a file that does not exist on that side. */
function pathOf(line: string): string | undefined {
  // A tab follows a path that holds a space, quoted or not.
  const word = line.slice("+++ ".length).replace(/\t$/u, "");
  const path = word.startsWith('"') ? unquoted(word) : word;
  return path === "/dev/null" ? undefined : path.slice("a/".length);
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ a: "\u0007", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" },
};

/** A path as git quotes it, with octal numbers for control characters. */
function unquoted(word: string): string {
  return word
    .replace(/^"|"$/gu, "")
    .replaceAll(/\\([0-7]{3}|.)/gsu, (_, code: string) =>
      /^[0-7]{3}$/u.test(code) ? String.fromCharCode(parseInt(code, 8)) : (ESCAPES[code] ?? code),
    );
}
