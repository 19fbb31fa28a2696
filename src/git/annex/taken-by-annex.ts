import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { userGit } from "../command/git.ts";
import type { TreeChange } from "../command/raw-output.ts";
import { annexKeyIn } from "./annex-key.ts";
import { smallTexts } from "./small-texts.ts";

/** The name of git-annex's filter, which the person's repository gives every file. */
export const ANNEX_FILTER = "annex";
/** The attribute that says which new files go to git-annex and not to git. */
export const ANNEX_ATTRIBUTE = "annex.largefiles";

/** Whether git-annex would keep the content of a file, whose attribute has this value, and leave git its key. */
export type TakenByAnnex = (path: string, largeFiles: string | undefined) => boolean;

/**
 * Tells which files git-annex would take: its filter is given every file, and leaves most of them to git. It takes those
 * that it has already, locked or not, and those that are large by an attribute or a setting, whose words only it reads.
 *
 * @param trees the files of the commits that are published
 * @param paths the paths that are asked for
 */
export async function takenByAnnex(
  { git, context, hub }: CloneRepo,
  trees: readonly (readonly TreeChange[])[],
  paths: ReadonlySet<string>,
): Promise<Result<TakenByAnnex, GitFailure>> {
  const asked = await userGit(context, hub.directory).ask(["config", "--get", ANNEX_ATTRIBUTE]);
  const isAll = isLarge(asked?.trim());
  const before = trees.flat().filter(({ path }) => paths.has(path));
  const texts = await smallTexts(
    git,
    before.map(({ oid }) => oid),
  );
  if (!texts.ok) return texts;
  const isKey = ({ oid }: TreeChange) => annexKeyIn(texts.value.get(oid) ?? "") !== undefined;
  const annexed = new Set(before.filter(isKey).map(({ path }) => path));
  return ok((path, largeFiles) => isAll || isLarge(largeFiles) || annexed.has(path));
}

function isLarge(expression: string | undefined): boolean {
  return !["", "unspecified", "unset", "nothing"].includes(expression ?? "");
}
