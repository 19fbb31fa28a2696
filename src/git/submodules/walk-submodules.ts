import {
  GITMODULES_BYTES_MAX,
  SUBMODULES_BYTES_MAX,
  SUBMODULES_DEPTH_MAX,
  SUBMODULES_FILLED_MAX,
} from "../../base/submodule-limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { Files } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Git } from "../command/git.ts";
import { type ModulePlace, objectsIn, placeOfHub, placeWithin } from "./module-place.ts";
import { submoduleNames } from "./submodule-names.ts";
import { submoduleFiles } from "./submodule-files.ts";
import { linksListed, type SubmoduleLink } from "./submodule-links.ts";

/** A submodule of a commit whose files the user's repository has. */
export interface FoundSubmodule {
  /** The names of the repositories that it is in, the outermost first, and its own. */
  readonly names: readonly string[];
  readonly commit: Oid;
  readonly place: ModulePlace;
}

interface Looking {
  readonly git: Git;
  readonly files: Files;
  readonly onFound: (found: FoundSubmodule) => Promise<Result<void, GitFailure>>;
  readonly unfilled: string[];
  seen: number;
  bytes: number;
}

interface Level {
  readonly above: string;
  readonly names: readonly string[];
  readonly links: readonly SubmoduleLink[];
  /** The `.gitmodules` of the repository that the links are in. */
  readonly text: string;
  readonly place: ModulePlace;
  readonly depth: number;
}

/**
 * The submodules of a commit, nested ones too, that stay empty in clones and verify trees: the user's repository lacks
 * their commit, or a limit is reached. Runs a command or two for each submodule.
 *
 * @param git in the top of the user's work tree
 */
export async function unfilledSubmodules(
  git: Git,
  files: Files,
  top: Pick<Level, "links" | "text">,
): Promise<readonly string[]> {
  const onFound = () => Promise.resolve(ok(undefined));
  const looked = await walkSubmodules({ git, files, onFound }, top);
  return looked.ok ? looked.value : [];
}

/**
 * Calls `onFound` for each submodule of a commit whose files are filled in, those that are in others after these, until
 * it fails.
 *
 * @returns the paths of those that stay empty
 */
export async function walkSubmodules(
  walk: Pick<Looking, "git" | "files" | "onFound">,
  top: Pick<Level, "links" | "text">,
): Promise<Result<readonly string[], GitFailure>> {
  const looking = { ...walk, unfilled: [], seen: 0, bytes: 0 };
  const place = placeOfHub(walk, walk.git.directory);
  const looked = await look(looking, { ...top, above: "", names: [], place, depth: 1 });
  return looked.ok ? ok(looking.unfilled) : looked;
}

async function look(looking: Looking, level: Level): Promise<Result<void, GitFailure>> {
  const { above, links, text, place, depth } = level;
  const known = submoduleNames(text);
  for (const { path, commit } of links) {
    const name = known.get(path);
    // A repository inside a repository without a name is none of its submodules.
    if (name === undefined) continue;
    const own = placeWithin(looking, place, { name, path });
    const isNear = depth <= SUBMODULES_DEPTH_MAX && ++looking.seen <= SUBMODULES_FILLED_MAX;
    const inside = isNear ? await lookInside(looking, own, commit) : undefined;
    if (inside === undefined) {
      looking.unfilled.push(`${above}${path}`);
      continue;
    }
    const names = [...level.names, name];
    const found = await looking.onFound({ names, commit, place: own });
    if (!found.ok) return found;
    const below = { ...inside, above: `${above}${path}/`, names, place: own, depth: depth + 1 };
    const deeper = await look(looking, below);
    if (!deeper.ok) return deeper;
  }
  return ok(undefined);
}

/** What a submodule holds; undefined if its files are not there, or are too large. */
async function lookInside(
  looking: Looking,
  place: ModulePlace,
  commit: string,
): Promise<Pick<Level, "links" | "text"> | undefined> {
  const files = await submoduleFiles(looking.git, place, commit);
  if (files === undefined || looking.bytes + files.bytes > SUBMODULES_BYTES_MAX) return undefined;
  looking.bytes += files.bytes;
  const links = linksListed(files.listed);
  if (links.length === 0) return { links, text: "" };
  const cut = { variables: objectsIn(place), cutAtBytes: GITMODULES_BYTES_MAX };
  const text = await looking.git.ask(["cat-file", "blob", `${commit}:.gitmodules`], cut);
  return { links, text: text ?? "" };
}
