import { basename, dirname, join, posix } from "node:path";
import { REVIEW_LANES_MAX, VERIFY_TREES_MAX } from "../../base/limits.ts";
import type { Directories } from "../../base/ports/directories.ts";
import { NO_SANDBOX } from "../../base/ports/sandbox.ts";
import { ROLES } from "../../base/role.ts";
import { clonesDirectory, type SessionJson } from "../../fs-protocol/home/session-json.ts";
import { treePlace, treesDirectory } from "../../evidence/verify-tree/tree-place.ts";
import type { RoleContext } from "../../work/role-context.ts";

/** What an absolute path of a command names. */
export type PathPlace =
  /** A file of the project: `rest` is the path below the root, "" or with a slash before it. */
  | { readonly kind: "tree"; readonly rest: string }
  /** A file of the system, or a program that PATH leads to. */
  | { readonly kind: "system"; readonly isThere: boolean }
  /** `isHere`: the folder below `/` in which it would be exists on this machine, so it can be no other text. */
  | { readonly kind: "elsewhere"; readonly isHere: boolean };

/** The places that a bug's command may name by absolute paths, and what they stand for. */
export interface CommandPlaces {
  /**
   * Every folder that holds the project's files for this session: the clones of its roles, the verify trees and the
   * person's checkout, as written and with all links resolved; the longest first.
   */
  readonly roots: readonly string[];
  /** The folder of the trees in which commands are judged. */
  readonly trees: string;
  /** Commands that a person wrote: their words may name anything. */
  readonly own: SessionJson["verify"];
  /** Whether an absolute path leads to something. */
  readonly isThere: (path: string) => boolean;
  readonly placeOf: (path: string) => PathPlace;
}

/** Programs, their libraries and settings, and devices; none of them is written while a session runs. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/etc", "/dev"];
/** These may be written by anybody, as `/tmp` may. */
const NOT_SYSTEM = ["/dev/shm", "/dev/mqueue"];

/** The places of a session, as they are now. */
export function commandPlaces(
  context: Pick<RoleContext<"tester">, "session" | "ports" | "env" | "sandbox">,
): CommandPlaces {
  const { session, ports, env, sandbox = NO_SANDBOX } = context;
  const { directories: links } = ports;
  const written = [...new Set(rootsOf(session).map((root) => posix.normalize(root)))];
  const real = written.map((root) => realOf(links, root));
  const roots = longestFirst([...written, ...real]);
  const realRoots = longestFirst(real);
  const isThere = (path: string) => links.realPath(path) !== undefined;
  // A container's image takes the place of this machine, whose files prove nothing about it.
  const isOnSystem = sandbox.kind === "container" ? () => true : isThere;
  const isProgram = programsOf(links, env["PATH"] ?? "");
  const placeOf = (path: string): PathPlace => {
    const plain = posix.normalize(path);
    const rest = restBelow(roots, plain) ?? restBelow(realRoots, realOf(links, plain));
    if (rest !== undefined) return { kind: "tree", rest };
    const isSystem = isBelow(SYSTEM, plain) && !isBelow(NOT_SYSTEM, plain);
    if (isSystem || isProgram(plain)) return { kind: "system", isThere: isOnSystem(plain) };
    const [, first = ""] = plain.split("/");
    return { kind: "elsewhere", isHere: first !== "" && isThere(`/${first}`) };
  };
  return { roots, trees: treesDirectory(session), own: session.verify, isThere, placeOf };
}

/** The folders as the session names them. */
function rootsOf(session: SessionJson): readonly string[] {
  const clones = ROLES.flatMap((role) => {
    const first = join(clonesDirectory(session, role), "clone");
    const lanes = Array.from({ length: REVIEW_LANES_MAX - 1 }, (_, at) => `${first}-${at + 1}`);
    return role === "reviewer" ? [first, ...lanes] : [first];
  });
  const trees = Array.from(
    { length: VERIFY_TREES_MAX },
    (_, at) => treePlace(session, at + 1).tree,
  );
  return [...clones, ...trees, session.repository];
}

function longestFirst(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort((one, other) => other.length - one.length);
}

function restBelow(roots: readonly string[], path: string): string | undefined {
  const root = roots.find((one) => isBelow([one], path));
  return root === undefined ? undefined : path.slice(root.length).replace(/\/$/u, "");
}

function isBelow(folders: readonly string[], path: string): boolean {
  return folders.some((one) => path === one || path.startsWith(`${one}/`));
}

/** The path with all links resolved as far as it leads; a clone may be gone while its role waits. */
function realOf(links: Pick<Directories, "realPath">, path: string): string {
  const parent = dirname(path);
  if (parent === path) return path;
  return links.realPath(path) ?? posix.join(realOf(links, parent), basename(path));
}

function programsOf(
  links: Pick<Directories, "realPath">,
  searchPath: string,
): (path: string) => boolean {
  const folders = searchPath.split(":").filter((one) => one.startsWith("/"));
  const real = new Set(folders.map((one) => realOf(links, one)));
  return (path) => {
    if (real.has(realOf(links, dirname(path)))) return true;
    const program = links.realPath(path);
    const isSame = (one: string) => links.realPath(join(one, basename(path))) === program;
    return program !== undefined && folders.some(isSame);
  };
}
