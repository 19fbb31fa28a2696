import {
  GITMODULES_BYTES_MAX,
  SUBMODULES_BYTES_MAX,
  SUBMODULES_DEPTH_MAX,
  SUBMODULES_FILLED_MAX,
} from "../../base/submodule-limits.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Git } from "../command/git.ts";
import { entriesOf } from "../command/raw-output.ts";
import { type ModulePlace, objectsIn, placeOfHub, placeWithin } from "./module-place.ts";
import { submoduleNames } from "./submodule-names.ts";
import { linksListed, type SubmoduleLink } from "./submodule-links.ts";

interface Looking {
  readonly git: Git;
  readonly files: Files;
  readonly unfilled: string[];
  seen: number;
  bytes: number;
}

interface Level {
  readonly above: string;
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
  const looking = { git, files, unfilled: [], seen: 0, bytes: 0 };
  await look(looking, { ...top, above: "", place: placeOfHub({ files }, git.directory), depth: 1 });
  return looking.unfilled;
}

async function look(looking: Looking, level: Level): Promise<void> {
  const { above, links, text, place, depth } = level;
  const names = submoduleNames(text);
  for (const { path, commit } of links) {
    const name = names.get(path);
    // A repository inside a repository without a name is none of its submodules.
    if (name === undefined) continue;
    const own = placeWithin(looking, place, { name, path });
    const isNear = depth <= SUBMODULES_DEPTH_MAX && ++looking.seen <= SUBMODULES_FILLED_MAX;
    const inside = isNear ? await lookInside(looking, own, commit) : undefined;
    if (inside === undefined) looking.unfilled.push(`${above}${path}`);
    else
      await look(looking, { ...inside, above: `${above}${path}/`, place: own, depth: depth + 1 });
  }
}

/** What a submodule holds; undefined if its files are not there, or are too large. */
async function lookInside(
  looking: Looking,
  place: ModulePlace,
  commit: string,
): Promise<Pick<Level, "links" | "text"> | undefined> {
  if (place.gitDirectories.length === 0) return undefined;
  const options = { variables: objectsIn(place), encoding: "latin1" as const };
  const { git } = looking;
  const words = ["ls-tree", "-r", "-l", "-z", "--full-tree", commit];
  const listed = await git.ask(words, options);
  if (listed === undefined) return undefined;
  const sizes = entriesOf(listed).map((entry) => Number(/ (\d+)\t/u.exec(entry)?.[1] ?? 0));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (looking.bytes + bytes > SUBMODULES_BYTES_MAX) return undefined;
  looking.bytes += bytes;
  const links = linksListed(listed);
  if (links.length === 0) return { links, text: "" };
  const cut = { ...options, encoding: "utf8" as const, cutAtBytes: GITMODULES_BYTES_MAX };
  const text = await git.ask(["cat-file", "blob", `${commit}:.gitmodules`], cut);
  return { links, text: text ?? "" };
}
