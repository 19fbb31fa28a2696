import { CannotGoOn, need } from "../../base/fatal.ts";
import { posix, relative, resolve, sep } from "node:path";
import { shown } from "../../base/words/shown.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { userEnvironment } from "../../git/command/git-environment.ts";
import { gitIn, type Git } from "../../git/command/git.ts";
import { openHub } from "../../git/repository/hub.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { count } from "../../base/words/sentence.ts";

interface Missed {
  readonly branch: string;
  readonly file: string;
  readonly line: number | undefined;
  /** How many lines the file has; undefined if there is no such file. */
  readonly lines: number | undefined;
}

/** The file or line does not exist at the head of the session branch. */
export const NoSuchPlace = refusal(
  "no-such-place",
  EXIT.usage,
  ({ file, line, lines, branch }: Missed) => {
    const has = lines === undefined ? "" : `, which has ${count(lines, "line")}`;
    const what = lines === undefined ? "There is no file" : `There is no line ${String(line)} in`;
    return [
      `${what} ${shown(file)}${has}, on the branch ${shown(branch)}.`,
      "wisp looks at the session's branch as it is now, not at your checkout.",
    ];
  },
);
type NoSuchPlace = ReturnType<typeof NoSuchPlace>;

/** A place in a file of the session branch. */
export interface FilePlace {
  /** Relative to the root of the repository, with `/`. */
  readonly file: string;
  readonly line: number | undefined;
  /** The text of that line. */
  readonly anchor: string | undefined;
}

/**
 * Looks up `path` or `path:line` in the session branch as it is now: relative to the command's
 * directory, or else to the root of the repository.
 */
export async function locate(
  world: World,
  { repository, branch }: SessionJson,
  text: string,
): Promise<FilePlace> {
  const [, named = text, digits] = /^(.+?)(?::([1-9]\d{0,6}))?$/su.exec(text) ?? [];
  const line = digits === undefined ? undefined : Number(digits);
  const head = await openHub(gitContext(world), repository).head(branch);
  const git = gitIn(repository, userEnvironment(world.env, repository));
  const fromHere = relative(repository, resolve(world.cwd, named)).split(sep).join("/");
  for (const file of new Set([fromHere, posix.normalize(named)])) {
    const content = head === undefined ? undefined : await contentOf(git, head, file);
    if (content !== undefined) return placeIn(content, { branch, file, line });
  }
  throw new CannotGoOn(NoSuchPlace({ branch, file: named, line, lines: undefined }));
}

async function contentOf(git: Git, head: string, file: string): Promise<string | undefined> {
  // git would treat a leading dot of a path as "relative to the current directory".
  if (file === "" || /^(?:\.\.?(?:\/|$)|\/)|\0/.test(file)) return undefined;
  const blob = need(await git.run(["cat-file", "blob", `${head}:${file}`]));
  return blob.exitCode === 0 ? blob.stdout : undefined;
}

function placeIn(
  content: string,
  { branch, file, line }: Pick<NoSuchPlace, "branch" | "file" | "line">,
): FilePlace {
  if (line === undefined) return { file, line, anchor: undefined };
  const lines = content.replace(/\n$/, "").split("\n");
  const anchor = lines[line - 1];
  if (anchor !== undefined) return { file, line, anchor };
  throw new CannotGoOn(NoSuchPlace({ branch, file, line, lines: lines.length }));
}
