import { posix } from "node:path";
import {
  passedInJest,
  passedInMocha,
  passedInNodeSpec,
  passedInTap,
  passedInVitest,
} from "../printed/passed-in-trees.ts";
import { exactly, filesOfTests, joinedTitles, testsInFiles, type Narrower } from "./narrower.ts";
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
    const hasReporter = split.options.some((word) => word.startsWith("--test-reporter"));
    const names = [...new Set(tests.map(({ titles }) => titles.at(-1) ?? ""))];
    const patterns = names.map((name) => `--test-name-pattern=${exactly([name])}`);
    // After a file, a pattern is taken for a file.
    return [
      ...split.options,
      ...(hasReporter ? [] : ["--test-reporter=spec"]),
      ...patterns,
      ...filesOfTests(tests),
    ];
  },
  passed: (lines) => [...passedInNodeSpec(lines), ...passedInTap(lines)],
};

const VITEST_REFUSED = wordSet(
  "-t --testNamePattern --watch -w --ui --shard --changed --related --standalone --mergeReports --merge-reports --typecheck.only",
);

const vitest: Narrower = {
  name: "vitest",
  startOf: (words) => startOf(words, /^vitest(?:\.mjs)?$/),
  isPerFile: false,
  narrow: (args, wanted) => {
    const tests = testsInFiles(wanted);
    const isRun = !/^(?:watch|dev|related|bench|list|init)$/.test(args[0] ?? "");
    if (tests === undefined || !isRun || hasRefused(args, VITEST_REFUSED)) return undefined;
    return [
      ...args,
      "--reporter=verbose",
      "-t",
      exactly(tests.map(joinedTitles)),
      ...filesOfTests(tests),
    ];
  },
  passed: passedInVitest,
};

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
  passed: passedInJest,
};

const MOCHA_REFUSED = wordSet(
  "-g --grep -f --fgrep -i --invert -R --reporter --watch -w --dry-run --parallel -p",
);

const mocha: Narrower = {
  name: "mocha",
  startOf: (words) => startOf(words, /^_?mocha(?:\.c?js)?$/),
  isPerFile: false,
  narrow: (args, tests) => {
    if (hasRefused(args, MOCHA_REFUSED)) return undefined;
    // Its list of failures names no files.
    return [...args, "--reporter=spec", "-g", exactly(tests.map(({ parts }) => parts.join(" ")))];
  },
  passed: passedInMocha,
};

/** Runners of JavaScript and TypeScript. */
export const javascriptNarrowers: readonly Narrower[] = [vitest, jest, mocha, nodeTest];
