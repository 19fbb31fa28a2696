import { posix } from "node:path";
import type { ProjectFacts } from "../../base/ports/project-facts.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { shown } from "../../base/words/shown.ts";
import { notLoaded } from "../harness/could-not-load.ts";
import { fewNames, type Missing, type CommandsAtBase } from "./missing.ts";
import { ignoredMissing, type Need } from "./needed-files.ts";
import { refusedServices, takenPorts } from "./refused.ts";
import { buildRemedy, isBuilt } from "./unbuilt.ts";
import { uninstalled } from "./uninstalled.ts";

/** A red run of verify. */
export interface RedAtBase {
  /** Its output, in which paths of the tree are relative to it. */
  readonly text: string;
  /** The tests that failed, by name. */
  readonly names: readonly string[];
  /** How many passed, if the runner says so. */
  readonly passed: number | undefined;
}

/** Of an output the beginning and the end are searched, so much of each. */
const SEARCHED_CHARS_MAX = 128 * 1024;

/** What the output of a red run says is missing. Words of an output are hints: nothing is decided by them. */
export function missingInRun(
  { text: printed, names, passed }: RedAtBase,
  facts: ProjectFacts,
  commands: CommandsAtBase,
): readonly Missing[] {
  const text = searched(printed);
  const asked = {
    programs: namesIn(text, PROGRAMS),
    modules: namesIn(text, MODULES),
    files: namesIn(text, FILES),
  };
  const isMissed = asked.programs.length > 0 || asked.modules.length > 0;
  const manifests = isMissed ? uninstalled(facts, commands, { isMissed }) : [];
  return [
    ...missedFiles(asked, facts, commands),
    ...manifests,
    ...(manifests.length === 0 ? missedPackages(asked, facts, commands) : []),
    ...refusedServices(text),
    ...takenPorts(text),
    ...brokenTests({ text, names, passed }),
  ];
}

function searched(text: string): string {
  const isLong = text.length > 2 * SEARCHED_CHARS_MAX;
  const both = isLong
    ? `${text.slice(0, SEARCHED_CHARS_MAX)}\n${text.slice(-SEARCHED_CHARS_MAX)}`
    : text;
  return cleanText(both, { charsMax: both.length + 1, lines: "many" });
}

const PROGRAMS = [
  /^(?:\/bin\/)?(?:ba|da|z)?sh: (?:line )?(?:\d+: )?([\w@./-]+): (?:command )?not found$/gm,
  /^env: .?([\w@./-]+?).?: No such file or directory$/gm,
  /\bspawn ([\w@./-]+) ENOENT\b/g,
  /\bexec: "([\w@./-]+)": executable file not found\b/g,
];
const MODULES = [
  /\bCannot find (?:module|package) ['"]([^'"\n]{1,300})['"]/g,
  /\bNo module named ['"]?([\w.]+)['"]?/g,
  /\bFailed to resolve import "([^"\n]{1,300})"/g,
  /\bcannot load such file -- (\S{1,300})/g,
];
const FILES = [
  /\bENOENT: no such file or directory, \w+ ['"]([^'"\n]{1,300})['"]/g,
  /\bNo such file or directory: ['"]([^'"\n]{1,300})['"]/g,
  /\bopen ([^\s:]{1,300}): no such file or directory\b/g,
  /^node: ([^\s:]{1,300}): not found$/gm,
];

/** What the first groups of some patterns match, each once, in order. */
function namesIn(text: string, patterns: readonly RegExp[]): readonly string[] {
  const found = patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = ""]) => name),
  );
  return [...new Set(found)].filter((name) => name !== "");
}

interface Asked {
  readonly programs: readonly string[];
  readonly modules: readonly string[];
  readonly files: readonly string[];
}

/** Files that git ignores, or that a build makes. */
function missedFiles(
  { programs, modules, files }: Asked,
  facts: ProjectFacts,
  commands: CommandsAtBase,
): readonly Missing[] {
  const paths = [...files, ...modules, ...programs].map((name) => posix.normalize(name));
  const needs = paths.flatMap((path): readonly Need[] => {
    const there = ignoredLike(path, facts);
    return there === undefined ? [] : [{ path: there, by: "verify", isImport: false }];
  });
  const made = paths.filter(
    (path) => isPath(path) && isBuilt(path) && !path.includes("node_modules/"),
  );
  if (needs.length > 0 || made.length === 0) return ignoredMissing(needs, facts, commands);
  return [
    {
      kind: "built",
      what: `verify looks for ${fewNames(made.map(shown))}, which a build usually makes`,
      where: "",
      remedy: buildRemedy(facts, commands),
    },
  ];
}

/** The ignored file of the work tree that a printed path means: from the root, or from where it was named. */
function ignoredLike(path: string, { ignored }: ProjectFacts): string | undefined {
  if (ignored.has(path) && !path.endsWith("/")) return path;
  const end = path.replace(/^(?:\.\.?\/)+/, "");
  if (!isPath(path) || path.includes("node_modules/")) return undefined;
  const like = [...ignored].filter((each) => each === end || each.endsWith(`/${end}`));
  return like.length === 1 ? like[0] : undefined;
}

function isPath(name: string): boolean {
  return name.includes("/") && !name.startsWith("@");
}

function missedPackages(
  { programs, modules }: Asked,
  { texts }: ProjectFacts,
  { setup }: CommandsAtBase,
): readonly Missing[] {
  const packages = modules.filter((name) => !isPath(name) || /^[a-z@][^.]*$/.test(name));
  const what = (some: readonly string[]) => fewNames(some.map(shown));
  const remedy =
    setup.length === 0
      ? "Name a command that installs it as `setup` in .wisp/config.yaml."
      : "`setup` does not bring it: let it install what is missing.";
  const own = packages.find((name) => texts.has(`src/${name.split(".")[0] ?? ""}/__init__.py`));
  const install = own === undefined ? remedy : `${remedy} It is the project itself.`;
  return [
    ...(programs.length === 0
      ? []
      : [
          {
            kind: "program" as const,
            what: `verify did not find the program ${what(programs)}`,
            where: "",
            remedy,
          },
        ]),
    ...(packages.length === 0
      ? []
      : [
          {
            kind: "module" as const,
            what: `verify did not find the module ${what(packages)}`,
            where: "",
            remedy: install,
          },
        ]),
  ];
}

/** What the names and totals say. */
function brokenTests({ text, names, passed }: RedAtBase): readonly Missing[] {
  const files = notLoaded(names, text);
  const isNone =
    passed === 0 || (passed === undefined && files.length > 0 && files.length === names.length);
  const loaded: readonly Missing[] =
    files.length === 0
      ? []
      : [
          {
            kind: "not-loaded",
            what: `what failed are files that could not be loaded, not tests: ${fewNames(files.map(shown))}`,
            where: "",
            remedy: "Their first error says what they lack.",
          },
        ];
  if (!isNone) return loaded;
  return [
    ...loaded,
    {
      kind: "none-passed",
      what: "no test passed",
      where: "",
      remedy: "Usually something is missing then, and verify could judge nothing.",
    },
  ];
}
