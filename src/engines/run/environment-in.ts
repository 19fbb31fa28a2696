import { otherWorkTrees, type GitFilesView } from "../../base/work-trees.ts";
import { fitsRule } from "./cli-environment.ts";
import { editableFolders } from "./editable-installs.ts";
import type { MachineFiles, Replacement } from "./in-checkout.ts";
import { rebaseEnvironment } from "./rebase-environment.ts";

/** The person's checkout, with the file system that it is in. */
export interface Checkout extends MachineFiles {
  readonly checkout: string;
  /** wisp's own places, which may be in the checkout. */
  readonly state: readonly string[];
  /** Places that the settings show to commands. */
  readonly allowed?: readonly string[] | undefined;
  readonly home: string | undefined;
}

/** A folder in place of the checkout. */
export interface InPlaceOfCheckout extends Checkout {
  /** A verify tree, or a clone. */
  readonly folder: string;
  /** Absolute paths in it that setup made, and no commit. */
  readonly made?: readonly string[] | undefined;
}

/** What a path of the person means in the folder. */
export function replacementIn(at: InPlaceOfCheckout): Replacement {
  const { directories, checkout, folder, state, allowed = [], home } = at;
  const withReal = (paths: readonly string[]) => [
    ...new Set(paths.flatMap((path) => [path, directories.realPath(path) ?? path])),
  ];
  const homes = withReal(home === undefined ? [] : [home]);
  // Where the checkout is the home, or above it, tool chains are in it, too.
  const isAbove = (name: string) =>
    name === "/" || homes.some((one) => one === name || one.startsWith(`${name}/`));
  const own = withReal([checkout]);
  const isHome = own.some(isAbove);
  const others = withReal(otherWorkTrees(gitFilesOf(at), checkout)).filter(
    (path) => !isAbove(path) && directories.kindOf(path) !== undefined,
  );
  // A work tree may be in another one.
  const names = [...new Set([...own, ...others])].sort((one, other) => other.length - one.length);
  return {
    checkout: names,
    folder,
    apart: withReal([folder, ...state]),
    allowed: isHome ? ["/"] : withReal(allowed),
    isThere: (path) => directories.kindOf(path) !== undefined,
    realPath: (path) => directories.realPath(path),
  };
}

function gitFilesOf({ files, directories }: MachineFiles): GitFilesView {
  return {
    namesIn: (folder) => {
      const entries = directories.entries(folder);
      return entries.ok ? entries.value.map(({ name }) => name) : [];
    },
    textOf: (path) => {
      const read = files.read(path, GIT_FILE_BYTES_MAX);
      return read.ok && read.value !== undefined ? Buffer.from(read.value).toString() : undefined;
    },
  };
}

/** Files of git that name a folder are a line long. */
const GIT_FILE_BYTES_MAX = 64 * 1024;

/**
 * The environment in a folder that takes the place of the checkout: nothing in it leads into the checkout, and Python
 * loads what is installed from the checkout from that folder. Programs are searched in the folder's own files last, so
 * that no commit decides which `node` or `sh` is run.
 *
 * @param isOwn whether a variable is not about the project, and is left as it is
 */
export function environmentIn(
  env: Readonly<Record<string, string>>,
  at: InPlaceOfCheckout,
  isOwn?: (name: string) => boolean,
): Readonly<Record<string, string>> {
  const by = replacementIn(at);
  const rebased = ownProgramsLast(rebaseEnvironment(env, by, isOwn), at);
  const first = editableFolders(at, env, by);
  if (first.length === 0) return rebased;
  const searched = rebased["PYTHONPATH"];
  const then = searched === undefined || searched === "" ? [] : searched.split(":");
  return { ...rebased, PYTHONPATH: [...new Set([...first, ...then])].join(":") };
}

function ownProgramsLast(
  env: Readonly<Record<string, string>>,
  { folder, made = [] }: InPlaceOfCheckout,
): Readonly<Record<string, string>> {
  const { PATH: path } = env;
  if (path === undefined) return env;
  const isIn = (entry: string, above: string) =>
    `${entry}/`.startsWith(`${above.replace(/\/$/u, "")}/`);
  const isCommitted = (entry: string) =>
    isIn(entry, folder) && !made.some((one) => isIn(entry, one));
  const entries = path.split(":");
  const others = entries.filter((entry) => !isCommitted(entry));
  return { ...env, PATH: [...others, ...entries.filter(isCommitted)].join(":") };
}

/** The folder of an engine's turn, and the variables that its own settings and logins are found by. */
interface EngineAt {
  readonly checkout: Checkout | undefined;
  readonly folder: string;
  /** Names of variables; a `*` at the end matches any rest. */
  readonly own: readonly string[];
}

/** The environment of an engine in a clone that takes the place of the checkout. */
export function engineEnvironment(
  env: Readonly<Record<string, string>>,
  { checkout, folder, own }: EngineAt,
): Readonly<Record<string, string>> {
  if (checkout === undefined) return env;
  const rules = [...own, ...FOLDERS_OF_PROGRAMS];
  return environmentIn(env, { ...checkout, folder }, (name) =>
    rules.some((rule) => fitsRule(rule, name)),
  );
}

/** Where programs of the person keep their own settings and data. */
const FOLDERS_OF_PROGRAMS = [
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "XDG_CACHE_HOME",
];
