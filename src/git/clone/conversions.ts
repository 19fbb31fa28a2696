import { join, posix } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cloneEnvironment, type GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { readText } from "../command/git-directory.ts";
import { type Git, gitIn } from "../command/git.ts";
import { decodedText } from "../command/raw-output.ts";
import { isTreePath } from "../command/tree-paths.ts";
import { isAsRecorded, pathsInIndex } from "../repository/index-file.ts";

// Attributes may name conversions that the committed files never went through. git then finds such a file changed as
// soon as it reads it again, although nobody touched it: the commit has what a checkout writes, but not what git would
// store. That is no change. Paths here are as bytes, with one character each.

/** The clone's work tree, and git in it. */
export interface WorkTree {
  readonly git: Git;
  readonly directory: string;
  readonly context: Pick<GitContext, "files" | "directories" | "clock" | "environment">;
}

/** The attributes with which git stores other bytes than a file has. */
const CONVERSIONS = ["filter", "ident", "eol", "text", "crlf", "working-tree-encoding"] as const;
const BYTES = { encoding: "latin1" } as const;
/** A larger index is that of a million files. */
const INDEX_BYTES_MAX = 128 * 1024 * 1024;
const ATTRIBUTE_FILES_MAX = 200;

/** What attributes say of a path, by their names; only those that say something. */
export type Conversions = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Words of attribute files that may name a conversion of files that git does not leave as they are. */
const CONVERTING =
  /(?<![-!\w])(?:text(?!\s*=\s*auto)|eol|crlf|ident|working-tree-encoding|filter)\b/u;

/** Whether files of the index may be converted; starts no process. */
export function mayConvert({ directory, context }: WorkTree): boolean {
  const index = context.files.read(join(directory, ".git", "index"), INDEX_BYTES_MAX);
  const paths =
    index.ok && index.value !== undefined ? pathsInIndex(index.value, isAttributes) : undefined;
  if (paths === undefined || paths.length > ATTRIBUTE_FILES_MAX) return true;
  return paths.some((path) => {
    const text = readText(context.files, join(directory, decodedText(path)));
    return text === undefined || CONVERTING.test(text);
  });
}

function isAttributes(path: string): boolean {
  return posix.basename(path).toLowerCase() === ".gitattributes" && isTreePath(path);
}

/** What the attributes of the work tree say of these paths. */
export async function conversionsOf(
  { git }: WorkTree,
  paths: readonly string[],
): Promise<Result<Conversions, GitFailure>> {
  // git reads no attributes of what an index names elsewhere.
  const stdin = listed(paths.filter(isTreePath));
  const printed = await git.must(["check-attr", "-z", "--stdin", ...CONVERSIONS], {
    stdin,
    ...BYTES,
  });
  if (!printed.ok) return printed;
  const fields = printed.value.split("\0");
  const found = new Map<string, Map<string, string>>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = "", name = "", value = ""] = fields.slice(at, at + 3);
    if (value === "unspecified" || value === "unset") continue;
    found.set(path, (found.get(path) ?? new Map<string, string>()).set(name, value));
  }
  return ok(found);
}

function listed(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join("");
}

/** Of paths that git finds modified, those that nobody changed. */
export interface Unchanged {
  /** Their bytes are those that a checkout writes, or git would store the same for both. */
  readonly converted: readonly string[];
  /** Other ones, which are as when an engine's git last recorded them: it ran a filter on them. */
  readonly recorded: readonly string[];
}

/** Finds them among paths that attributes convert; `variables` may name another index than the clone's. */
export async function unchangedAmong(
  tree: WorkTree,
  conversions: Conversions,
  {
    paths,
    variables,
  }: {
    readonly paths: readonly string[];
    readonly variables?: Readonly<Record<string, string>> | undefined;
  },
): Promise<Result<Unchanged, GitFailure>> {
  // The words of `hash-object` end at a line break.
  const some = paths.filter((path) => conversions.has(path) && !path.includes("\n"));
  if (some.length === 0) return ok({ converted: [], recorded: [] });
  const { context, directory } = tree;
  const top = join(directory, ".git", "wisp-as-committed");
  const removed = context.directories.removeTree(top);
  if (!removed.ok) return fail(fileAsGitFailure("status", removed.failure));
  const converted = await convertedAmong(tree, conversions, { some, top, variables });
  context.directories.removeTree(top);
  if (!converted.ok || variables !== undefined)
    return converted.ok ? ok({ converted: converted.value, recorded: [] }) : converted;
  const known = new Set(converted.value);
  const index = context.files.read(join(directory, ".git", "index"), INDEX_BYTES_MAX);
  const recorded = some.filter((path) => {
    const isFiltered = !known.has(path) && conversions.get(path)?.has("filter") === true;
    const stat = isFiltered ? context.files.stat(join(directory, decodedText(path))) : undefined;
    return (
      stat !== undefined &&
      index.ok &&
      index.value !== undefined &&
      isAsRecorded(index.value, path, stat)
    );
  });
  return ok({ converted: converted.value, recorded });
}

interface Compared {
  readonly some: readonly string[];
  /** Where the files are written as a checkout would. */
  readonly top: string;
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

async function convertedAmong(
  tree: WorkTree,
  conversions: Conversions,
  { some, top, variables }: Compared,
): Promise<Result<readonly string[], GitFailure>> {
  const { git, directory, context } = tree;
  const written = await git.must(
    ["checkout-index", "-f", "-q", "-z", "--stdin", `--prefix=${top}/`],
    {
      stdin: listed(some),
      variables,
      ...BYTES,
    },
  );
  if (!written.ok) return written;
  const there = gitIn(top, {
    ...cloneEnvironment(context.environment, directory),
    GIT_WORK_TREE: top,
  });
  const same = await samePaths([git, there], ["--no-filters"], some);
  if (!same.ok) return same;
  const known = new Set(same.value);
  const rest = some.filter((path) => !known.has(path) && isStoredOtherwise(conversions.get(path)));
  if (rest.length === 0) return same;
  const attributes = await git.must(["ls-files", "-z", "--", ":(top,glob)**/.gitattributes"], {
    variables,
    ...BYTES,
  });
  if (!attributes.ok) return attributes;
  const filled = await git.must(
    ["checkout-index", "-f", "-q", "-z", "--stdin", `--prefix=${top}/`],
    {
      stdin: attributes.value,
      variables,
      ...BYTES,
    },
  );
  if (!filled.ok) return filled;
  const stored = await samePaths([git, there], [], rest);
  return stored.ok ? ok([...same.value, ...stored.value]) : stored;
}

/** Whether what git stores does not depend on what the commit has, and no filter would have to run. */
function isStoredOtherwise(said: ReadonlyMap<string, string> | undefined): boolean {
  return said !== undefined && !said.has("filter") && said.get("text") !== "auto";
}

/** The paths that have the same hash in two work trees. */
async function samePaths(
  gits: readonly [Git, Git],
  options: readonly string[],
  paths: readonly string[],
): Promise<Result<readonly string[], GitFailure>> {
  const stdin = paths.map((path) => `${path}\n`).join("");
  const words = ["hash-object", ...options, "--stdin-paths"];
  const [here, there] = await Promise.all(gits.map((git) => git.must(words, { stdin, ...BYTES })));
  if (here?.ok === false) return here;
  if (there?.ok === false) return there;
  const [ours, theirs] = [here?.value.split("\n") ?? [], there?.value.split("\n") ?? []];
  return ok(paths.filter((_, at) => ours[at] !== undefined && ours[at] === theirs[at]));
}

/** How often an index is written again at most, until its second is another one. */
const LOOKS_MAX = 500;

/**
 * Makes git see that files are unchanged, without reading them: it trusts what an index says of a file only if the index
 * is younger, by whole seconds. So they are checked out anew, and their index is written again in the next second.
 */
export async function settleUnchanged(
  { git, directory, context }: WorkTree,
  { converted, recorded }: Unchanged,
): Promise<Result<void, GitFailure>> {
  if (converted.length + recorded.length === 0) return ok(undefined);
  const words = ["checkout-index", "-f", "-u", "-q", "-z", "--stdin"];
  const written =
    converted.length === 0
      ? ok(undefined)
      : await git.act(words, { stdin: listed(converted), ...BYTES });
  if (!written.ok) return written;
  const path = join(directory, ".git", "index");
  const changedMs = () => context.files.stat(path)?.changedMs ?? 0;
  const nextMs = (Math.floor(changedMs() / 1_000) + 1) * 1_000;
  const index = context.files.read(path, INDEX_BYTES_MAX);
  if (!index.ok || index.value === undefined) return ok(undefined);
  let isThere = false;
  for (let look = 0; look < LOOKS_MAX && !isThere; look++) {
    // What is written once the second has been seen is of that second: the rename may be younger than the bytes.
    isThere = changedMs() >= nextMs;
    await context.clock.sleep(Math.max(0, nextMs - changedMs()));
    const replaced = context.files.replace(path, index.value);
    if (!replaced.ok) return fail(fileAsGitFailure("status", replaced.failure));
  }
  return ok(undefined);
}
