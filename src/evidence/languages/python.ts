import { posix } from "node:path";
import { readPytest, readUnittest } from "../printed/python-runs.ts";
import { countLine, numberOf, totalsInWords } from "../printed/totals.ts";
import { DOUBLE, HASH, SINGLE, string, type BareCode } from "./bare-code.ts";
import { withSections } from "./manifest-sections.ts";
import { pythonRunners } from "./python-runners.ts";
import {
  CHECKING_NAME,
  REGIONS_MAX,
  type ImportReader,
  type Printed,
  type Region,
  type TestLanguage,
} from "./test-language.ts";

const DEFINITION = /^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)/gm;
const SKIP =
  /@(?:pytest\.mark\.(?:skip|skipif|xfail)|(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure))\b|\bpytest\.(?:skip|xfail)\s*\(|\bself\.skipTest\s*\(|\bSkipTest\b/;
const MODULE_SKIP =
  /^pytestmark\s*=[^\n]*\bskip|^pytest\.skip\s*\(|^raise\s+(?:unittest\.)?SkipTest/m;

function regions({ code }: BareCode): readonly Region[] {
  const isModuleSkipped = MODULE_SKIP.test(code);
  return [...code.matchAll(DEFINITION)]
    .slice(0, REGIONS_MAX)
    .flatMap((match): readonly Region[] => {
      const [all, indent = "", word, title = ""] = match;
      const isTest = word === "def" && /^test/i.test(title);
      if (!isTest && word !== "class") return [];
      const start = decoratorsBefore(code, match.index);
      const end = endOfIndented(code, match.index + all.length, indent.length);
      const searched = code.slice(start, isTest ? end : match.index);
      const isSkipped = isModuleSkipped || SKIP.test(searched);
      const kind = isTest ? "test" : "group";
      return [{ kind, title, start, end, isSkipped, isFocused: false }];
    });
}

const DECORATOR_LINES_MAX = 40;

/** Where the decorators of a definition begin; their arguments may span several lines. */
function decoratorsBefore(code: string, start: number): number {
  let first = start;
  let at = start;
  for (let lines = 0; at > 0 && lines < DECORATOR_LINES_MAX; lines++) {
    const begin = code.lastIndexOf("\n", at - 2) + 1;
    const line = code.slice(begin, at).trim();
    if (line === "" || /^(?:async\b|def\b|class\b|return\b)/.test(line)) break;
    if (line.startsWith("@")) first = begin;
    at = begin;
  }
  return first;
}

/** The end of an indented block: before the next line that is not blank and not indented further. */
function endOfIndented(code: string, from: number, indent: number): number {
  // The definition's header may span several lines inside its parentheses.
  const line = /\n([ \t]*)(?=[^\s])(?![)\]}])/g;
  line.lastIndex = from;
  for (let next = line.exec(code); next !== null; next = line.exec(code)) {
    if ((next[1] ?? "").length <= indent) return next.index;
  }
  return code.length;
}

const imports: ImportReader = {
  extensions: ["py"],
  lines: "^[ \t]*(from|import)[ \t]+[.A-Za-z_]",
  modulesIn,
  placesOf,
  bindings: [/^\s*from\s+\S+\s+import\s+(.*)$/, /^\s*import\s+([\w.]+(?:\s+as\s+\w+)?)/],
  named: /\bfrom\s+(?<module>[\w.]+)\s+import\s+\(?(?<names>[\w\s,]{1,2000})/g,
  onlyOfTests: /^\s*(?:from|import)\s+(?:pytest|unittest|hypothesis|nose|hamcrest|testtools)\b/,
  loadedByName: new Set(
    `pytest _pytest pluggy unittest nose nose2 tox nox coverage doctest mock hypothesis
  argparse ast asyncio collections contextlib copy dataclasses difflib enum fnmatch functools gc getopt glob
  importlib inspect itertools json linecache logging operator pathlib pdb platform pprint random re shlex shutil
  signal string subprocess tempfile textwrap threading token tokenize traceback types typing unicodedata uuid
  warnings weakref xml`.split(/\s+/),
  ),
};

function modulesIn(line: string): readonly string[] {
  const from = /^\s*from\s+([.\w]+)\s+import\s+\(?(.*)$/.exec(line);
  if (from === null) return listed(/^\s*import\s+(.*)$/.exec(line)?.[1] ?? "");
  const [, module = "", names = ""] = from;
  // An imported name may itself be a module of the package.
  const below = listed(names).map((name) => `${module}${module.endsWith(".") ? "" : "."}${name}`);
  return [module, ...below];
}

function listed(names: string): readonly string[] {
  return names
    .replace(/#.*$/, "")
    .split(",")
    .flatMap((each) => /^\s*([\w.]+)/.exec(each)?.[1] ?? []);
}

/** Looks in the file's folder, in all folders above it, and in `src`. */
function placesOf(from: string, name: string): readonly (readonly string[])[] {
  const dots = /^\.+/.exec(name)?.[0].length ?? 0;
  const below = name.slice(dots).replaceAll(".", "/");
  const folder = posix.dirname(from);
  const parts = folder.split("/").filter((part) => part !== ".");
  const up = parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
  const places =
    dots > 0
      ? [posix.join(folder, "../".repeat(dots - 1), below)]
      : [...up, "", "src"].map((above) => posix.join(above, below));
  return places.map((place) => [`${place}/__init__.py`, `${place}.py`]);
}

const printed: Printed = {
  failing: [readPytest, readUnittest],
  counts: [
    // pytest: `== 1 failed, 4 passed, 2 skipped in 0.12s ==`; with -q, without the signs
    {
      line: /^(?:=+ )?\d+ (?:failed|passed|skipped|errors?|deselected|x\w+)\b.* in [\d.]+s/,
      totals: totalsInWords,
    },
    {
      line: /^(?:=+ )?no tests (?:ran|collected)\b.* in [\d.]+s/,
      totals: () => ({ passed: 0, failed: 0 }),
    },
    // unittest: the number of all tests, and then those that did not pass
    countLine(/^Ran (\d+) tests? in [\d.]+s$/, "passed"),
    {
      line: /^(?:OK|FAILED) \([\w ]+=\d+(?:, [\w ]+=\d+)*\)$/,
      totals: (line) => {
        const failed = numberOf(
          line,
          /(?:(?<!expected )failures|errors|unexpected successes)=(\d+)/g,
        );
        const skipped = numberOf(line, /skipped=(\d+)/g);
        return { passed: -failed - skipped, failed, skipped };
      },
    },
  ],
  notLoaded:
    /ModuleNotFoundError|ImportError|No module named|ConftestImportFailure|fixture '[^']+' not found/,
  ofFile: /^\S*\.py(?: \[.*\])?$|_FailedTest|unittest\.loader/,
};

/** Python, with pytest and unittest. */
export const python: TestLanguage = {
  extensions: [".py"],
  marks: {
    starts: /[#"']/g,
    rules: [HASH, string(/"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)/y), DOUBLE, SINGLE],
  },
  regions,
  excludesFile: undefined,
  checks: {
    assertion: new RegExp(
      `(?<![\\w.])assert\\b|\\.assert\\w+\\s*\\(|\\bpytest\\.(?:raises|warns|approx|fail)\\s*\\(|(?<![\\w.])${CHECKING_NAME}`,
      "g",
    ),
    trivial: /\bassert(?:True|1|\(True\))(?=\n|$|,)|\bassert(\d+)==\1(?!\d)|assertTrue\(True[,)]/gm,
    strict:
      /\bassert\b[^\n]*?(?:==|\bis\b(?!\s+not\b))|\.assert(?:Equal|ListEqual|DictEqual|Is|CountEqual|AlmostEqual|RaisesRegex|_called_with|_called_once_with)\w*\s*\(/g,
    loose:
      /\.assert(?:True|IsNotNone|In|IsInstance|Greater\w*|Less\w*|_called)\s*\(|\bassert\s+\w+[^\n=<>]*$|\bis\s+not\s+None\b|\bisinstance\s*\(/gm,
    helper: /^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)/gm,
    helperEnd: "next",
    loop: /\bparametrize\b|\bsubTest\b/,
    definedBy: /def/,
    mayFail: /\bself\.\w+\s*\(/,
    isWritten: () => true,
  },
  testFiles: /_test\.py$|(?:^|\/)test_[^/]+\.py$/,
  mixedFiles: undefined,
  imports,
  settings: {
    // Modules among these are loaded automatically.
    whole:
      /\.?pytest\.(?:ini|toml)|tox\.(?:ini|toml)|noxfile\.py|conftest\.py|\.coveragerc|(?:site|user)customize\.py/,
    compared: /pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|\.coveragerc|conftest\.py/,
    manifests: [
      {
        name: "pyproject.toml",
        restored: withSections(
          /^\[{1,2}tool\.(?:pytest|coverage|tox|nox|nose2|hatch\.envs|pdm\.scripts|poe|taskipy|unittest)\b/,
        ),
      },
      {
        name: "setup.cfg",
        restored: withSections(
          /^\[(?:tool:pytest|pytest|tox|testenv|coverage|aliases|nosetests)\b/,
        ),
      },
    ],
    exclusions: /--ignore\b|--deselect\b|collect_ignore|norecursedirs/,
    thresholds: /fail[-_]under|cov-fail-under/,
  },
  printed,
  runners: pythonRunners,
};
