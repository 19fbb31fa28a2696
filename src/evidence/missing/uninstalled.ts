import { posix } from "node:path";
import type { ProjectFacts } from "../../base/ports/project-facts.ts";
import { shown } from "../../base/words/shown.ts";
import {
  dependenciesOf,
  packageManagerOf,
  type PackageManager,
} from "../../settings/detect/package-json.ts";
import { wordsIn } from "../harness/shell-words.ts";
import { javascript } from "../languages/javascript.ts";
import { fewNames, type Missing, type CommandsAtBase } from "./missing.ts";
import { testScripts } from "./node-scripts.ts";
import { folderFiles, isCode } from "./searched-files.ts";
import { settingWords } from "./setting-words.ts";

/** How sure it is that what a manifest names is needed. */
export interface MissedInRun {
  /** A run did not find a program or a module: then nothing else has to say so. */
  readonly isMissed: boolean;
}

/** Manifests without a lock file, from which therefore no setup is known, if verify needs what they name. */
export function uninstalled(
  facts: ProjectFacts,
  commands: CommandsAtBase,
  wanted: MissedInRun,
): readonly Missing[] {
  // A setup is the person's own, or installs from a lock file.
  if (commands.setup.length > 0) return [];
  return [...packagesOfNode(facts, commands, wanted), ...packagesOfPython(facts, commands, wanted)];
}

const NODE_PROGRAMS = new Set("npm pnpm yarn bun npx bunx node".split(" "));
const LOCK_FILES: Readonly<Record<PackageManager, string>> = {
  npm: "package-lock.json",
  pnpm: "pnpm-lock.yaml",
  yarn: "yarn.lock",
  bun: "bun.lock",
};

function packagesOfNode(
  facts: ProjectFacts,
  { verify }: CommandsAtBase,
  { isMissed }: MissedInRun,
): readonly Missing[] {
  const root = folderFiles(facts, "");
  const all = dependenciesOf(root);
  const isOfNode = verify.some(([program = ""]) => NODE_PROGRAMS.has(posix.basename(program)));
  // With these, packages are in the commit, or come from elsewhere.
  const isOther = ["node_modules", ".pnp.cjs", "deno.json", "deno.jsonc"].some((name) =>
    root.names.has(name),
  );
  if (!isOfNode || isOther || all.length === 0) return [];
  const words = [...testScripts(root).values(), ...verify.map((argv) => argv.join(" "))];
  const needed = neededOf(all, facts, new Set(words.flatMap(wordsIn)));
  if (needed.length === 0 && !isMissed) return [];
  const manager = packageManagerOf(root);
  const names = fewNames((needed.length === 0 ? all : needed).map(shown));
  const setting = settingWords("setup", { added: [[manager, "install"]] });
  return [
    {
      kind: "manifest",
      what: `the manifest package.json names ${names}, but there is no lock file, so nothing is installed before verify`,
      where: "package.json",
      remedy: `Commit ${LOCK_FILES[manager]}, or name ${setting} in .wisp/config.yaml.`,
    },
  ];
}

/** Packages whose program has another name. */
const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ["typescript", "tsc"],
  ["@angular/cli", "ng"],
  ["@playwright/test", "playwright"],
  ["@web/test-runner", "wtr"],
]);

/** The packages whose programs are started, or that code imports. */
function neededOf(
  all: readonly string[],
  { texts }: ProjectFacts,
  words: ReadonlySet<string>,
): readonly string[] {
  const { imports } = javascript;
  const imported = new Set<string>();
  for (const [path, text] of texts) {
    const isRead = imports?.extensions.some((each) => path.endsWith(`.${each}`)) === true;
    if (!isCode(path) || !isRead) continue;
    for (const name of imports.modulesIn(text)) imported.add(packageOf(name));
  }
  return all.filter((name) => {
    const program = PROGRAMS.get(name) ?? posix.basename(name);
    return imported.has(name) || words.has(program);
  });
}

/** `@scope/name/file` is a file of `@scope/name`. */
function packageOf(module: string): string {
  return module
    .split("/")
    .slice(0, module.startsWith("@") ? 2 : 1)
    .join("/");
}

const PYTHON_VERIFY = /(?:^|\/)(?:python[\d.]*|pytest|py\.test)$/;
const PYTHON_MANIFESTS: readonly (readonly [string, RegExp])[] = [
  ["pyproject.toml", /^\[(?:project|tool\.poetry|build-system)\]/m],
  ["setup.py", /\bsetup\s*\(/],
  ["setup.cfg", /^\[options\]/m],
  ["Pipfile", /^\[(?:dev-)?packages\]/m],
];
const ENVIRONMENTS = [".venv", "venv", "env"];

function packagesOfPython(
  facts: ProjectFacts,
  commands: CommandsAtBase,
  { isMissed }: MissedInRun,
): readonly Missing[] {
  const { ignored } = facts;
  const manifest = manifestOfPython(facts);
  const environment = ENVIRONMENTS.find((name) => ignored.has(`${name}/`));
  // Python's packages may be installed for the whole machine; an environment in the checkout says that they are not.
  const settings = environmentInTree(facts, commands);
  const isLikely = isMissed || environment !== undefined;
  if (manifest === undefined || settings === undefined || !isLikely) return [];
  const hidden = environment === undefined ? "" : `, and your ${environment} is not in its copies`;
  return [
    {
      kind: "manifest",
      what: `the manifest ${manifest} has no lock file, so wisp installs nothing before verify${hidden}`,
      where: manifest,
      remedy: `Name ${settings} in .wisp/config.yaml, unless verify finds its packages elsewhere.`,
    },
  ];
}

function manifestOfPython({ texts }: ProjectFacts): string | undefined {
  return PYTHON_MANIFESTS.find(([name, says]) => says.test(texts.get(name) ?? ""))?.[0];
}

/**
 * The settings by which each tree has an environment of Python of its own, in which the project is installed from that tree.
 * Undefined if verify starts no Python, there is no manifest, or there is a setup already.
 */
export function environmentInTree(
  facts: ProjectFacts,
  { setup, verify }: CommandsAtBase,
): string | undefined {
  const isOfPython = verify.some(([program = ""]) => PYTHON_VERIFY.test(program));
  if (setup.length > 0 || !isOfPython || manifestOfPython(facts) === undefined) return undefined;
  const project = `.${extraOf(facts.texts.get("pyproject.toml") ?? "")}`;
  const install = [".venv/bin/pip", "install", "-e", project, "pytest"];
  const made = settingWords("setup", { added: [["python3", "-m", "venv", ".venv"], install] });
  const run = settingWords("verify", { added: [[".venv/bin/python", "-m", "pytest"]] });
  return `${made} and ${run}`;
}

/** The group of optional packages that tests need, as pip names it; empty if there is none. */
function extraOf(pyproject: string): string {
  const [, groups = ""] =
    /^\[project\.optional-dependencies\]$([^]*?)(?=^\[|$(?![^]))/m.exec(pyproject) ?? [];
  const [, name] = /^(test|tests|testing|dev)\s*=/m.exec(groups) ?? [];
  return name === undefined ? "" : `[${name}]`;
}
