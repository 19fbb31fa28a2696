import { join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import type { FilterDrivers } from "../../base/ports/filters.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { GitDirectory } from "../command/git-directory.ts";
import type { Git } from "../command/git.ts";

/** Nothing that git in the person's checkout would run. */
export const NO_DRIVERS: FilterDrivers = { defined: [], ofPerson: [], ofMachine: [] };

/** In the repository of a session elsewhere: a filter of the repository that the session came from. */
export const KNOWN_FILTER = "wisp.filter";

/** What decides which content is stored; `smudge` only decides what is checked out. */
const KEYS = /^filter\.(?<name>.+)\.(?<key>clean|process|required)$/su;

/** Reads the filters of a repository again only if its own configuration changed; the rest is as when it was first read. */
export type FilterReader = (isAny: boolean) => Promise<Result<FilterDrivers, GitFailure>>;

/**
 * Makes the reader of the filters that git runs in the person's checkout. If only the repository's own matter, and its
 * configuration defines none, no process is started.
 *
 * @param git in the top of the person's work tree
 * @param located its git directory; undefined if there is none
 */
export function filterReader(
  git: Git,
  { files, located }: { readonly files: Files; readonly located: GitDirectory | undefined },
): FilterReader {
  let known: { readonly own: string; readonly drivers: FilterDrivers } | undefined;
  return async (isAny) => {
    const own = ownConfig(files, located);
    if (!isAny && own !== undefined && !/filter|include/iu.test(own)) return ok(NO_DRIVERS);
    // A file that is included may change without these.
    const isKnown = known?.own === own && own !== undefined && !/include/iu.test(own);
    if (isKnown && known !== undefined) return ok(known.drivers);
    const drivers = await readFilters(git);
    if (drivers.ok && own !== undefined) known = { own, drivers: drivers.value };
    return drivers;
  };
}

/** A larger configuration is left to git. */
const CONFIG_BYTES_MAX = 1024 * 1024;

/** The text of a repository's own configuration; undefined if only git can tell. */
function ownConfig(files: Files, located: GitDirectory | undefined): string | undefined {
  if (located === undefined) return undefined;
  const { gitDirectory, commonDirectory } = located;
  const texts: string[] = [];
  for (const path of [join(commonDirectory, "config"), join(gitDirectory, "config.worktree")]) {
    const read = files.read(path, CONFIG_BYTES_MAX);
    if (!read.ok) return undefined;
    texts.push(Buffer.from(read.value ?? []).toString("utf8"));
  }
  return texts.join("\0");
}

/** The filters that git runs in the repository, wherever they are defined. */
export async function readFilters(git: Git): Promise<Result<FilterDrivers, GitFailure>> {
  const listed = await git.run(["config", "--show-scope", "--includes", "--list", "-z"]);
  if (!listed.ok) return listed;
  return ok(listed.value.exitCode === 0 ? driversIn(listed.value.stdout) : NO_DRIVERS);
}

/** A command in force, and the last one outside all repositories. */
interface Command {
  readonly value: string;
  readonly scope: string;
  readonly shared: { readonly value: string; readonly scope: string } | undefined;
}

/**
 * Parses `git config --show-scope --list -z`: a scope, a NUL, a key, a line feed and its value, a NUL. A filter is the
 * person's, or the machine's, only if the commands in force are those outside all repositories: the same name may stand
 * for something else in a repository.
 */
export function driversIn(listed: string): FilterDrivers {
  const filters = new Map<string, Map<string, Command>>();
  const fields = listed.split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = "", entry = ""] = fields.slice(at, at + 2);
    const [key = "", ...rest] = entry.split("\n");
    const value = rest.join("\n");
    if (key === KNOWN_FILTER && !filters.has(value)) filters.set(value, new Map());
    const { name, key: what } = KEYS.exec(key)?.groups ?? {};
    if (name === undefined || what === undefined) continue;
    const commands = filters.get(name) ?? new Map<string, Command>();
    const isShared = scope === "global" || scope === "system";
    const shared = isShared ? { value, scope } : commands.get(what)?.shared;
    filters.set(name, commands.set(what, { value, scope, shared }));
  }
  const of = (scopes: readonly string[]) =>
    [...filters].filter(([name, all]) => isOf(name, all, scopes)).map(([name]) => name);
  return {
    defined: [...filters.keys()],
    ofPerson: of(["global"]),
    ofMachine: of(["global", "system"]),
  };
}

/** Whether all commands of a filter that are in force are those of these scopes. */
function isOf(
  name: string,
  commands: ReadonlyMap<string, Command>,
  scopes: readonly string[],
): boolean {
  const run = ["clean", "process"].flatMap((key) => commands.get(key) ?? []);
  const isSame = ({ value, shared }: Command) =>
    shared !== undefined &&
    scopes.includes(shared.scope) &&
    (shared.value === value || (isLfs(name, value) && isLfs(name, shared.value)));
  return run.length > 0 && run.every(isSame);
}

/** Whatever its options, Git LFS stores the same pointers. */
function isLfs(name: string, command: string): boolean {
  return name === "lfs" && command.startsWith("git-lfs ");
}
