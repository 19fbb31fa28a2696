import { posix } from "node:path";
import type { ProjectFacts } from "../../base/ports/project-facts.ts";
import { shown } from "../../base/words/shown.ts";
import { importReaderOf } from "../harness/import-edges.ts";
import { wordsIn } from "../harness/shell-words.ts";
import { IMPORT_WORD, isInCode, shortLines, type CodeFile } from "./code-lines.ts";
import { fewNames, type Missing, type CommandsAtBase } from "./missing.ts";
import { mayMakeFiles, testScripts } from "./node-scripts.ts";
import { folderFiles, isCode } from "./searched-files.ts";
import { settingWords } from "./setting-words.ts";
import { buildRemedy, isBuilt } from "./unbuilt.ts";

/** An ignored file, and what needs it. */
export interface Need {
  readonly path: string;
  /** What names it: a file with a line, or a command. Clean. */
  readonly by: string;
  readonly isImport: boolean;
}

/** Files that git ignores and that the project's commands or its code need: wisp's copies lack them. */
export function neededIgnored(facts: ProjectFacts, commands: CommandsAtBase): readonly Missing[] {
  const tracked = new Set(facts.files.map(({ path }) => path));
  const lacking = [...facts.ignored].filter(
    (path) => !path.endsWith("/") && !tracked.has(path) && !OF_NO_USE.test(path),
  );
  if (lacking.length === 0) return [];
  const searched = { tracked, lacking: new Set(lacking), names: new Set(lacking.flatMap(namesOf)) };
  const needs = [
    ...[...inCommands(commands), ...inScripts(facts)].filter(({ path }) =>
      searched.lacking.has(path),
    ),
    ...[...facts.texts].flatMap(([path, text]) =>
      isCode(path) ? inCode({ path, text }, searched) : [],
    ),
  ];
  const isMade = mayMakeFiles(folderFiles(facts, "")) || commands.setup.length > 0;
  const made = [...commands.setup, ...commands.build].flat().map((word) => posix.normalize(word));
  const kept = needs.filter(({ path, isImport }) => {
    const isByCommand = made.some((word) => path === word || path.startsWith(`${word}/`));
    return !isByCommand && !(isBuilt(path) && commands.build.length > 0) && !(isImport && isMade);
  });
  return ignoredMissing(kept, facts, commands);
}

/** The last part of a module's name that may mean the file. */
function namesOf(path: string): readonly string[] {
  const { name, base, dir } = posix.parse(path);
  return [base, name, posix.basename(dir)];
}

/** What is said of ignored files that are needed: each once. */
export function ignoredMissing(
  needs: readonly Need[],
  facts: ProjectFacts,
  commands: CommandsAtBase,
): readonly Missing[] {
  const paths = [...new Set(needs.map(({ path }) => path))];
  const built = paths.filter(isBuilt);
  const rest = paths.filter((path) => !isBuilt(path));
  const of = (some: readonly string[]) =>
    fewNames([...new Set(needs.filter(({ path }) => some.includes(path)).map(({ by }) => by))]);
  return [
    ...(built.length === 0 ? [] : [builtWords(shownNames(built), of(built))]).map(
      (what): Missing => {
        return {
          kind: "built",
          what,
          where: shownNames(built),
          remedy: buildRemedy(facts, commands),
        };
      },
    ),
    ...(rest.length === 0 ? [] : [ignoredWords(rest, of(rest))]).map((what): Missing => {
      return {
        kind: "ignored",
        what,
        where: shownNames(rest),
        remedy: copyRemedy(rest, facts, commands),
      };
    }),
  ];
}

function shownNames(paths: readonly string[]): string {
  return fewNames(paths.map(shown));
}

function builtWords(paths: string, by: string): string {
  return `a build seems to make ${paths}, which the commit lacks and ${by} needs`;
}

function ignoredWords(paths: readonly string[], by: string): string {
  const it = paths.length === 1 ? "it" : "them";
  return `git ignores ${shownNames(paths)}, so wisp's copies lack ${it}, but ${by} needs ${it}`;
}

/** Files that programs leave behind, and no test reads on purpose. */
const OF_NO_USE =
  /(?:^|\/)(?:\.DS_Store|Thumbs\.db|\.coverage|\.eslintcache|[^/]*\.(?:log|pyc|swp|tsbuildinfo|pid|lock))$/;

function inCommands({ setup, build, verify }: CommandsAtBase): readonly Need[] {
  const named = [
    ["setup", setup],
    ["build", build],
    ["verify", verify],
  ] as const;
  return named.flatMap(([name, commands]) =>
    commands.flat().flatMap((word) => {
      const value = word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
      return [{ path: posix.normalize(value), by: `\`${name}\``, isImport: false }];
    }),
  );
}

/** What scripts that run with the tests name, such as `node --env-file=.env`. */
function inScripts(facts: ProjectFacts): readonly Need[] {
  return [...testScripts(folderFiles(facts, ""))].flatMap(([name, text]) =>
    wordsIn(text)
      .filter((word) => !word.startsWith("--env-file-if-exists"))
      .map((word) => ({
        path: posix.normalize(word.slice(word.startsWith("-") ? word.indexOf("=") + 1 : 0)),
        by: `the script \`${shown(name)}\``,
        isImport: false,
      })),
  );
}

/** A line that reads a file which it names. */
const READS =
  /\b(?:readFile(?:Sync)?|createReadStream|loadEnvFile|read_text|read_bytes|load_dotenv|config|source|include|File\.read|ReadFile|include_str!|open)\b/;
const WRITES = /\b(?:write|append|output|dest|unlink|remove|mkdir)|["'][wax]b?\+?["']/i;
/** What loads `.env` beside it, or in the folder in which it runs, without naming it. */
const LOADS_ENV =
  /["']dotenv\/config["']|\bdotenv["']\)\.config\(\)|\bdotenv\.config\(\)|\bload_dotenv\(\)|\bloadEnvFile\(\)|\bgodotenv\.Load\(\)/;
const NEEDS = new RegExp(`${READS.source}|${IMPORT_WORD.source}|${LOADS_ENV.source}`);
/** Near a line: it goes on without what it loads. */
const OPTIONAL =
  /\btry\b|existsSync|\.exists\(|\bisfile\(|\b(?:stat|access)(?:Sync)?\(|\.catch\(|-include\b|\[ -[fer]\b/;
const LINES_BEFORE = 3;
const COMMENT = /^\s*(?:\/\/|#(?!\[)|\*|--|\/\*)/;

/** What is looked for in code. */
interface Searched {
  readonly tracked: ReadonlySet<string>;
  readonly lacking: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

function inCode(file: CodeFile, { tracked, lacking, names }: Searched): readonly Need[] {
  const { path, text } = file;
  if (!NEEDS.test(text)) return [];
  const lines = shortLines(text);
  return lines.flatMap((line, index) => {
    if (!NEEDS.test(line) || COMMENT.test(line)) return [];
    const by = `${shown(path)}:${String(index + 1)}`;
    const needs = [
      ...importedBy(path, line, { tracked, names }).map((each) => ({ path: each, isImport: true })),
      ...readBy(path, line).map((each) => ({ path: each, isImport: false })),
    ].filter((each) => lacking.has(each.path));
    if (needs.length === 0) return [];
    const near = lines.slice(Math.max(0, index - LINES_BEFORE), index + 1);
    if (near.some((each) => OPTIONAL.test(each))) return [];
    return needs
      .filter(({ isImport }) => isInCode(file, index, isImport ? IMPORT_WORD : NEEDS))
      .map((need) => ({ ...need, by }));
  });
}

/** Where the modules of a line may be, if none of these places has a file of the commit. */
function importedBy(
  from: string,
  line: string,
  { tracked, names }: Pick<Searched, "tracked" | "names">,
): readonly string[] {
  const reader = importReaderOf(from);
  const modules = reader?.modulesIn(line) ?? [];
  const isNamed = (module: string) => module.split(/[./]/).some((part) => names.has(part));
  return modules
    .filter((module) => isNamed(module) || names.has(posix.basename(module)))
    .flatMap((module) => {
      const places = (reader?.placesOf(from, module) ?? []).flat();
      return places.some((place) => tracked.has(place)) ? [] : places;
    });
}

function readBy(from: string, line: string): readonly string[] {
  const folder = posix.dirname(from);
  if (LOADS_ENV.test(line)) return [".env", posix.join(folder, ".env")];
  if (!READS.test(line) || WRITES.test(line)) return [];
  const named = [...line.matchAll(/["'`]([^"'`\s]{1,200})["'`]/g)].map(([, word = ""]) => word);
  return named.flatMap((word) => [posix.normalize(word), posix.join(folder, word)]);
}

/** Endings of examples from which people make such a file. */
const EXAMPLES = [".example", ".sample", ".template", ".dist", "-example"];

function copyRemedy(
  paths: readonly string[],
  { files }: ProjectFacts,
  { setup }: CommandsAtBase,
): string {
  const tracked = new Set(files.map(({ path }) => path));
  const copies = paths.flatMap((path) => {
    const example = EXAMPLES.map((ending) => path + ending).find((each) => tracked.has(each));
    return example === undefined ? [] : [["cp", example, path]];
  });
  if (copies.length === 0) {
    return "If verify needs it, commit it, or let a command of `setup` in .wisp/config.yaml make it.";
  }
  const setting = settingWords("setup", { before: setup, added: copies });
  return `If verify needs it, name ${setting} in .wisp/config.yaml.`;
}
