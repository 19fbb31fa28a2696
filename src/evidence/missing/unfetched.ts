import { LFS_PLACED_BYTES_MAX } from "../../git/lfs/lfs-limits.ts";
import { sizeWords } from "../../base/words/size-words.ts";
import type { ProjectFacts } from "../../base/ports/project-facts.ts";
import { submoduleNames } from "../../git/submodules/submodule-names.ts";
import { shown } from "../../base/words/shown.ts";
import { FILLS_SUBMODULES, setupContains } from "../../base/setup-files.ts";
import { fewNames, type Missing, type CommandsAtBase } from "./missing.ts";
import { settingWords } from "./setting-words.ts";

const SUBMODULE_MODE = "160000";

/** Submodules: copies of the repository have empty folders in their place, unless setup fills them. */
export function emptySubmodules(
  facts: ProjectFacts,
  { setup }: CommandsAtBase,
): readonly Missing[] {
  const textOf = (path: string) => facts.texts.get(path);
  if (setupContains(setup, FILLS_SUBMODULES, textOf)) return [];
  const links = facts.files.filter(({ mode }) => mode === SUBMODULE_MODE).map(({ path }) => path);
  const named = submoduleNames(facts.texts.get(".gitmodules") ?? "");
  const own = facts.unfilled ?? links.filter((path) => named.has(path));
  const stray = links.filter((path) => !named.has(path));
  const update = ["git", "submodule", "update", "--init", "--recursive"];
  const setting = settingWords("setup", { added: [update], after: setup });
  return [
    ...found("submodule", own, {
      what: (paths, isOne) =>
        `the ${isOne ? "submodule" : "submodules"} ${paths} ${isOne ? "is" : "are"} empty in wisp's copies of the repository`,
      remedy: `Run \`${update.join(" ")}\` in your checkout, or name ${setting} in .wisp/config.yaml.`,
    }),
    ...found("submodule", stray, {
      what: (paths) => `the commit has no files of the repositories inside this one: ${paths}`,
      remedy: "Commit their files, or make them submodules with `git submodule add`.",
    }),
  ];
}

/** Files under Git LFS whose content copies of the repository lack, unless setup fetches it. */
export function lfsPointers(facts: ProjectFacts, { setup }: CommandsAtBase): readonly Missing[] {
  if (setupContains(setup, /\blfs\b/, (path) => facts.texts.get(path))) return [];
  const hasLfs = facts.filters.defined.includes("lfs");
  const here = hasLfs ? "fetch it here with `git lfs pull`" : INSTALL;
  const inSetup = "let a command of `setup` in .wisp/config.yaml fetch it";
  const most = sizeWords(LFS_PLACED_BYTES_MAX);
  return [
    ...found("lfs", facts.pointers, {
      what: (paths) =>
        `wisp's copies of the repository have pointers of Git LFS in place of files: ${paths}`,
      remedy: `If tests need their content, ${here}, or ${inSetup}.`,
    }),
    ...found("lfs", facts.pointersOver, {
      what: (paths) =>
        `more than ${most} of content under Git LFS are not copied, so that wisp's copies of the repository have pointers in place of files: ${paths}`,
      remedy: `If tests need their content, ${inSetup}.`,
    }),
  ];
}

const INSTALL = "let git use git-lfs (`git lfs install`) and fetch it with `git lfs pull`";

interface FoundWords {
  readonly what: (paths: string, isOne: boolean) => string;
  readonly remedy: string;
}

function found(
  kind: Missing["kind"],
  paths: readonly string[],
  { what, remedy }: FoundWords,
): readonly Missing[] {
  if (paths.length === 0) return [];
  const names = fewNames(paths.map(shown));
  return [{ kind, what: what(names, paths.length === 1), where: names, remedy }];
}
