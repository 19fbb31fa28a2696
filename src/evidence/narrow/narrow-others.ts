import { posix } from "node:path";
import { passedInPhpunit } from "../printed/passed-in-lists.ts";
import { passedInRspec, passedInTap } from "../printed/passed-in-trees.ts";
import { isNamedBy } from "./named-files.ts";
import { exactly, filesOfTests, joinedTitles, testsInFiles, type Narrower } from "./narrower.ts";
import { hasRefused, splitWords, wordSet, type KnownOptions } from "./option-words.ts";

const RSPEC: KnownOptions = {
  flags: wordSet(
    "-c --color --colour --force-color --no-color -w --warnings -b --backtrace --fail-fast",
  ),
  valued: wordSet("-I -r --require --order --seed -O --options -t --tag"),
  refused: wordSet(
    "-e --example -E --example-matches -f --format -o --out -p --only-failures --next-failure --bisect -P --pattern --dry-run",
  ),
};

const rspec: Narrower = {
  name: "rspec",
  startOf: (words) => {
    const at = words[0] === "bundle" && words[1] === "exec" ? 2 : 0;
    return posix.basename(words[at] ?? "") === "rspec" ? at + 1 : undefined;
  },
  // The list of what passed has no files.
  isPerFile: true,
  narrow: (args, wanted) => {
    const split = splitWords(args, RSPEC);
    const tests = testsInFiles(wanted);
    if (split === undefined || tests === undefined) return undefined;
    const names = exactly(tests.map(joinedTitles));
    return [...split.options, "--format", "documentation", "-E", names, ...filesOfTests(tests)];
  },
  ofFile: (args, { path, isSeen }) => {
    const split = splitWords(args, RSPEC);
    if (split === undefined) return undefined;
    // Without words, its settings may choose others.
    const isRun = isSeen || isNamedBy(split.others, path, (file) => file.endsWith("_spec.rb"));
    return isRun ? [...split.options, path] : undefined;
  },
  passed: passedInRspec,
};

const BATS: KnownOptions = {
  flags: wordSet("-r --recursive -t --tap --print-output-on-failure --trace -x"),
  valued: wordSet("-j --jobs -o --output"),
  refused: wordSet(
    "-f --filter -F --formatter -p --pretty -T --timing -c --count --filter-status --filter-tags",
  ),
};

const bats: Narrower = {
  name: "bats",
  startOf: (words) => (posix.basename(words[0] ?? "") === "bats" ? 1 : undefined),
  isPerFile: true,
  narrow: (args, wanted) => {
    const split = splitWords(args, BATS);
    const tests = testsInFiles(wanted);
    if (split === undefined || tests === undefined) return undefined;
    return [...split.options, "-f", exactly(tests.map(joinedTitles)), ...filesOfTests(tests)];
  },
  passed: passedInTap,
};

const PHPUNIT_REFUSED = wordSet(
  "--filter --log-teamcity --teamcity --testdox --list-tests --no-output --group --exclude-group",
);

const phpunit: Narrower = {
  name: "phpunit",
  startOf: (words) => {
    const at = posix.basename(words[0] ?? "") === "php" ? 1 : 0;
    return /^phpunit(?:\.phar)?$/.test(posix.basename(words[at] ?? "")) ? at + 1 : undefined;
  },
  isPerFile: false,
  narrow: (args, tests) => {
    // Rows of a data provider, and names in words, are written in another way than they are chosen by.
    const isPlain = tests.every(
      ({ parts: [group, name, more] }) =>
        more === undefined && /^\w+$/.test(name ?? "") && /^[\w\\]+$/.test(group),
    );
    if (!isPlain || hasRefused(args, PHPUNIT_REFUSED)) return undefined;
    const names = exactly(tests.map(({ parts }) => parts.join("::")));
    return [...args, "--log-teamcity", "php://stdout", "--filter", `/${names}/`];
  },
  passed: passedInPhpunit,
};

/** Runners of scripting languages that have no language of their own here. */
export const otherNarrowers: readonly Narrower[] = [rspec, bats, phpunit];
