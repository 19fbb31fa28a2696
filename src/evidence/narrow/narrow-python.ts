import { posix } from "node:path";
import { passedInPytest, passedInUnittest } from "../printed/passed-in-lists.ts";
import { isNamedBy } from "./named-files.ts";
import { testsInFiles, type Narrower } from "./narrower.ts";
import {
  hasRefused,
  splitWords,
  wordSet,
  type KnownOptions,
  type SplitWords,
} from "./option-words.ts";

/** What runs another program in the environment of a project. */
const PREFIXES = ["uv run", "poetry run", "pipenv run", "pdm run", "rye run"];

/** Leaves out such a prefix: how many words it has. */
function prefixOf(words: readonly string[]): number {
  return PREFIXES.includes(words.slice(0, 2).join(" ")) ? 2 : 0;
}

/** `python -m <module>`, after such a prefix. */
function moduleStart(words: readonly string[], module: string): number | undefined {
  const at = prefixOf(words);
  const isPython = /^python[\d.]*$/.test(posix.basename(words[at] ?? ""));
  return isPython && words[at + 1] === "-m" && words[at + 2] === module ? at + 3 : undefined;
}

const PYTEST: KnownOptions = {
  flags: wordSet(
    "-q -qq --quiet -v -vv --verbose -x --exitfirst -s -l --showlocals --strict --strict-markers --strict-config --no-header --no-cov --cov --disable-warnings --doctest-modules --cache-clear -ra -rA -rf -rN",
  ),
  valued: wordSet(
    "-m -p -c -W -o -r --rootdir --confcutdir --cov-report --cov-config --timeout --tb",
  ),
  refused: wordSet(
    "-k --lf --last-failed --ff --failed-first --sw --stepwise --deselect --no-summary --collect-only --co --pyargs -n --numprocesses --dist",
  ),
};

const pytest: Narrower = {
  name: "pytest",
  startOf: (words) => {
    const at = prefixOf(words);
    const isAlone = /^(?:pytest|py\.test)$/.test(posix.basename(words[at] ?? ""));
    return isAlone ? at + 1 : moduleStart(words, "pytest");
  },
  isPerFile: false,
  narrow: (args, wanted) => {
    const split = splitWords(args, PYTEST);
    const tests = testsInFiles(wanted);
    if (split === undefined || tests?.every(({ file }) => file.endsWith(".py")) !== true) {
      return undefined;
    }
    const ids = tests.map(({ parts }) => parts.join("::"));
    return [...split.options, "-rA", ...new Set(ids)];
  },
  ofFile: (args, { path, isSeen }) => {
    const split = splitWords(args, PYTEST);
    if (split === undefined || !path.endsWith(".py")) return undefined;
    // Without words, its settings may choose others.
    const isFound = (file: string) => /^(?:test_.*|.*_test)\.py$/.test(posix.basename(file));
    const isRun = isSeen || isNamedBy(split.others, path, isFound);
    return isRun ? [...split.options, path] : undefined;
  },
  passed: passedInPytest,
};

const UNITTEST_REFUSED = wordSet("-k -h --help");

const UNITTEST: KnownOptions = {
  flags: wordSet("-v --verbose -q --quiet -b --buffer -c --catch -f --failfast --locals"),
  valued: wordSet("-s --start-directory -t --top-level-directory"),
  refused: wordSet("-k -p --pattern -h --help"),
};

/** The folders in which it begins to search. */
function startsOf(split: SplitWords | undefined): readonly string[] {
  const { options = [], others = [] } = split ?? {};
  const named = options.flatMap((word, at) => {
    const [, value] = /^--start-directory=(.*)$/.exec(word) ?? [];
    return value ?? (/^(?:-s|--start-directory)$/.test(word) ? (options[at + 1] ?? []) : []);
  });
  return [...named, ...others];
}

const unittest: Narrower = {
  name: "unittest",
  startOf: (words) => moduleStart(words, "unittest"),
  isPerFile: false,
  narrow: (args, tests) => {
    const names = tests.map(({ parts }) => parts.join("."));
    // A subtest has its values behind the name: only its test can be chosen.
    if (!names.every(isDotted) || hasRefused(args, UNITTEST_REFUSED)) return undefined;
    return [...args, "-v", ...[...new Set(names)].flatMap((name) => ["-k", name])];
  },
  // Of the files that it finds by itself, those with that name.
  ofFile: (args, { path }) => {
    const own = args[0] === "discover" ? args.slice(1) : args;
    const split = splitWords(own, UNITTEST);
    const [start = ".", ...more] = startsOf(split);
    const isFound = (file: string) => /^test.*\.py$/.test(posix.basename(file));
    if (split === undefined || more.length > 0 || !isNamedBy([start], path, isFound)) {
      return undefined;
    }
    // Without the word, other words name modules.
    if (args[0] !== "discover" && split.others.length > 0) return undefined;
    return ["discover", ...own, "-p", posix.basename(path)];
  },
  passed: passedInUnittest,
};

function isDotted(name: string): boolean {
  return /^[A-Za-z_]\w*(?:\.\w+)+$/.test(name);
}

/** Runners of Python. */
export const pythonNarrowers: readonly Narrower[] = [pytest, unittest];
