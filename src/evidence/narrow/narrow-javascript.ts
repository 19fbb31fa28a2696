import { posix } from "node:path";
import {
  passedInJest,
  passedInMocha,
  passedInNodeSpec,
  passedInTap,
  passedInVitest,
} from "../printed/passed-in-trees.ts";
import { exactly, filesOfTests, joinedTitles, testsInFiles, type Narrower } from "./narrower.ts";
import { isNamedBy } from "./named-files.ts";
import { hasRefused, splitWords, wordSet, type KnownOptions } from "./option-words.ts";

/** What runs another program in the environment of a project. */
const PREFIXES = [
  "npx",
  "npx --no",
  "npx --no-install",
  "bunx",
  "pnpm exec",
  "yarn exec",
  "nyc",
  "c8",
];

/** How many words start a program, alone or as a script of node; undefined if they do not. */
function startOf(words: readonly string[], names: RegExp): number | undefined {
  const prefix = PREFIXES.map((each) => each.split(" ")).find(
    (each) =>
      each.every((word, at) => words[at] === word) &&
      names.test(posix.basename(words[each.length] ?? "")),
  );
  const before = prefix?.length ?? nodeWords(words);
  return names.test(posix.basename(words[before] ?? "")) ? before + 1 : undefined;
}

/** `node`, with options that need no further word. */
function nodeWords(words: readonly string[]): number {
  if (words[0] !== "node") return 0;
  const script = words.findIndex((word, at) => at > 0 && !word.startsWith("-"));
  return script === -1 ? words.length : script;
}

const NODE_TEST: KnownOptions = {
  flags: wordSet(
    "--test --experimental-strip-types --experimental-transform-types --enable-source-maps --no-warnings --expose-gc --experimental-vm-modules --experimental-test-coverage --experimental-test-module-mocks --test-force-exit",
  ),
  valued: wordSet(
    "--import --require -r --loader --experimental-loader --conditions -C --env-file --test-reporter --test-concurrency --test-timeout",
  ),
  refused: wordSet(
    "--watch --test-only --test-shard --test-name-pattern --test-skip-pattern --test-rerun-failures -e --eval -p --print",
  ),
};

/** The files that node finds by itself in a folder, whatever its version. */
const NODE_FILES = /^(?:test|test-.+|.+[._-]test)\.[cm]?js$/;

const nodeTest: Narrower = {
  name: "node:test",
  startOf: ([program = "", ...args]) =>
    /^(?:node|nodejs|tsx)$/.test(posix.basename(program)) && args.includes("--test")
      ? 1
      : undefined,
  isPerFile: true,
  narrow: (args, wanted) => {
    const split = splitWords(args, NODE_TEST);
    const tests = testsInFiles(wanted);
    if (split === undefined || tests === undefined) return undefined;
    const names = [...new Set(tests.map(({ titles }) => titles.at(-1) ?? ""))];
    const patterns = names.map((name) => `--test-name-pattern=${exactly([name])}`);
    // After a file, a pattern is taken for a file.
    return [...reported(split.options), ...patterns, ...filesOfTests(tests)];
  },
  ofFile: (args, { path, isSeen }) => {
    const split = splitWords(args, NODE_TEST);
    if (split === undefined) return undefined;
    const words = split.others.length === 0 ? ["."] : split.others;
    const isFound = (file: string) =>
      NODE_FILES.test(posix.basename(file)) || /^(?:.*\/)?test\/.*\.[cm]?js$/.test(file);
    const isRun = isSeen || isNamedBy(words, path, isFound);
    return isRun ? [...reported(split.options), path] : undefined;
  },
  passed: (lines) => [...passedInNodeSpec(lines), ...passedInTap(lines)],
};

function reported(options: readonly string[]): readonly string[] {
  const hasReporter = options.some((word) => word.startsWith("--test-reporter"));
  return [...options, ...(hasReporter ? [] : ["--test-reporter=spec"])];
}

const VITEST_REFUSED = wordSet(
  "-t --testNamePattern --watch -w --ui --shard --changed --related --standalone --mergeReports --merge-reports --typecheck.only",
);

const vitest: Narrower = {
  name: "vitest",
  startOf: (words) => startOf(words, /^vitest(?:\.mjs)?$/),
  isPerFile: false,
  narrow: (args, wanted) => {
    const tests = testsInFiles(wanted);
    if (tests === undefined || !isVitestRun(args)) return undefined;
    return [
      ...args,
      "--reporter=verbose",
      "-t",
      exactly(tests.map(joinedTitles)),
      ...filesOfTests(tests),
    ];
  },
  ofFile: (args, { path, isSeen }) => {
    // Words are parts of paths that are added to one another: one that is not a part of this path may leave it out.
    const words = args.filter((word, at) => !word.startsWith("-") && !(at === 0 && word === "run"));
    const isRun = isSeen || words.every((word) => path.includes(word));
    return isVitestRun(args) && isRun ? [...args, "--reporter=verbose", path] : undefined;
  },
  passed: passedInVitest,
};

function isVitestRun(args: readonly string[]): boolean {
  const isRun = !/^(?:watch|dev|related|bench|list|init)$/.test(args[0] ?? "");
  return isRun && !hasRefused(args, VITEST_REFUSED);
}

const JEST: KnownOptions = {
  flags: wordSet(
    "--ci --coverage --no-coverage --runInBand -i --passWithNoTests --forceExit --detectOpenHandles --silent --no-cache --verbose --bail -b --colors --color --no-color --logHeapUsage",
  ),
  valued: wordSet(
    "--config -c --maxWorkers -w --testTimeout --env --rootDir --coverageReporters --coverageDirectory --workerIdleMemoryLimit",
  ),
  refused: wordSet(
    "-t --testNamePattern --watch --watchAll --shard --onlyChanged -o --lastCommit --onlyFailures -f --findRelatedTests --listTests --json --reporters --runTestsByPath",
  ),
};

const jest: Narrower = {
  name: "jest",
  startOf: (words) => startOf(words, /^jest(?:\.js)?$/),
  isPerFile: false,
  narrow: (args, wanted) => {
    const tests = testsInFiles(wanted);
    const split = splitWords(args, JEST);
    // Other words are patterns of paths, which would be taken for paths.
    if (tests === undefined || split === undefined || split.others.length > 0) return undefined;
    const names = exactly(tests.map(joinedTitles));
    return [...args, "--verbose", "-t", names, "--runTestsByPath", ...filesOfTests(tests)];
  },
  ofFile: (args, { path, isSeen }) => {
    const split = splitWords(args, JEST);
    if (split === undefined || split.others.length > 0) return undefined;
    // Which files are its own its settings say also of those that are named, but words of patterns go.
    const hasPatterns = args.some((word) => word.startsWith("--testPathPattern"));
    return isSeen || !hasPatterns ? [...args, "--verbose", "--runTestsByPath", path] : undefined;
  },
  passed: passedInJest,
};

const MOCHA_REFUSED = wordSet(
  "-g --grep -f --fgrep -i --invert -R --reporter --watch -w --dry-run --parallel -p",
);

const MOCHA: KnownOptions = {
  flags: wordSet(
    "--exit --recursive -b --bail --forbid-only --forbid-pending --check-leaks --full-trace -c --color --colors --no-color --no-colors -A --async-only --allow-uncaught --inline-diffs",
  ),
  valued: wordSet(
    "-r --require -t --timeout -s --slow -u --ui --retries --extension --file --ignore --exclude --config --import --loader -n --node-option",
  ),
  refused: MOCHA_REFUSED,
};

const mocha: Narrower = {
  name: "mocha",
  startOf: (words) => startOf(words, /^_?mocha(?:\.c?js)?$/),
  isPerFile: false,
  narrow: (args, tests) => {
    if (hasRefused(args, MOCHA_REFUSED)) return undefined;
    // Its list of failures names no files.
    return [...args, "--reporter=spec", "-g", exactly(tests.map(({ parts }) => parts.join(" ")))];
  },
  ofFile: (args, { path, isSeen }) => {
    const split = splitWords(args, MOCHA);
    if (split === undefined) return undefined;
    // Without words, its settings may choose others.
    const isDeep = split.options.includes("--recursive");
    const isFound = (file: string, folder: string) =>
      /\.[cm]?js$/.test(file) && (isDeep || posix.dirname(file) === folder);
    const isRun = isSeen || isNamedBy(split.others, path, isFound);
    return isRun ? [...split.options, "--reporter=spec", path] : undefined;
  },
  passed: passedInMocha,
};

/** Runners of JavaScript and TypeScript. */
export const javascriptNarrowers: readonly Narrower[] = [vitest, jest, mocha, nodeTest];
