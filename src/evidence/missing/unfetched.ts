import { LFS_PLACED_BYTES_MAX } from "../../git/lfs/lfs-limits.ts";
import { sizeWords } from "../../base/words/size-words.ts";
import type { ProjectFacts } from "../../base/ports/project-facts.ts";
import { shown } from "../../base/words/shown.ts";
import { fewNames, type Missing, type CommandsAtBase } from "./missing.ts";
import { settingWords } from "./setting-words.ts";

const SUBMODULE_MODE = "160000";

/** Submodules: copies of the repository have empty folders in their place, unless setup fills them. */
export function emptySubmodules(
  facts: ProjectFacts,
  { setup }: CommandsAtBase,
): readonly Missing[] {
  if (setupMentions(setup, facts, /\bsubmodule\b/)) return [];
  const links = facts.files.filter(({ mode }) => mode === SUBMODULE_MODE).map(({ path }) => path);
  const named = new Set(namedSubmodules(facts.texts.get(".gitmodules") ?? ""));
  const own = links.filter((path) => named.has(path));
  const stray = links.filter((path) => !named.has(path));
  const update = ["git", "submodule", "update", "--init", "--recursive"];
  const setting = settingWords("setup", { added: [update], after: setup });
  return [
    ...found("submodule", own, {
      what: (paths, isOne) =>
        `the ${isOne ? "submodule" : "submodules"} ${paths} ${isOne ? "is" : "are"} empty in wisp's copies of the repository`,
      remedy: `Name ${setting} in .wisp/config.yaml.`,
    }),
    ...found("submodule", stray, {
      what: (paths) => `the commit has no files of the repositories inside this one: ${paths}`,
      remedy: "Commit their files, or make them submodules with `git submodule add`.",
    }),
  ];
}

/** Files under Git LFS whose content copies of the repository lack, unless setup fetches it. */
export function lfsPointers(facts: ProjectFacts, { setup }: CommandsAtBase): readonly Missing[] {
  if (setupMentions(setup, facts, /\blfs\b/)) return [];
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

function namedSubmodules(text: string): readonly string[] {
  return [...text.matchAll(/^\s*path\s*=\s*"?(.*?)"?\s*$/gm)].map(([, path = ""]) => path);
}

/** Programs that run what a file in the root defines. */
const DEFINED_IN: Readonly<Partial<Record<string, readonly string[]>>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile"],
  npm: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
};

/** Whether setup, or a tracked file that it runs, contains a word. */
function setupMentions(
  setup: CommandsAtBase["setup"],
  { texts }: ProjectFacts,
  word: RegExp,
): boolean {
  const words = setup.flat();
  const files = words.flatMap((each) => DEFINED_IN[each] ?? [each.replace(/^\.\//, "")]);
  return [...words, ...files.map((path) => texts.get(path) ?? "")].some((text) => word.test(text));
}
