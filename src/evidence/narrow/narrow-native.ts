import { posix } from "node:path";
import { passedInCargo, passedInCtest, passedInGo } from "../printed/passed-in-lists.ts";
import { exactly, testsInFiles, type Narrower } from "./narrower.ts";
import { hasRefused, splitWords, wordSet, type KnownOptions } from "./option-words.ts";

const GO: KnownOptions = {
  flags: wordSet("-v -race -short -cover -failfast -trimpath"),
  valued: wordSet(
    "-tags -timeout -p -parallel -cpu -mod -coverprofile -covermode -coverpkg -ldflags -gcflags -shuffle",
  ),
  refused: wordSet("-run -skip -json -args -c -o -exec -list -bench -fuzz -C -count"),
};

const go: Narrower = {
  name: "go",
  startOf: (words) => startsWith(words, "go", "test"),
  isPerFile: false,
  narrow: (args, tests) => {
    const split = splitWords(
      args.filter((word) => !/^-count=\d+$/.test(word)),
      GO,
    );
    const packages = [...new Set(tests.map(({ parts: [name] }) => name))];
    // All subtests run with the test around them: no name of theirs has to be written as a pattern.
    const names = [...new Set(tests.map(({ parts: [, name = ""] }) => name))];
    const isPlain = packages.every(isPackage) && names.every((name) => /^\w+$/.test(name));
    if (split === undefined || !isPlain) return undefined;
    return ["-v", "-count=1", "-run", exactly(names), ...split.options, ...packages];
  },
  passed: passedInGo,
};

function isPackage(name: string): boolean {
  return /^[A-Za-z_][\w./~-]*$/.test(name);
}

const CARGO_REFUSED = wordSet("--doc --no-run -q --quiet --message-format -Z");

const cargo: Narrower = {
  name: "cargo",
  startOf: (words) => startsWith(words, "cargo", "test"),
  isPerFile: false,
  narrow: (args, wanted) => {
    const names = testsInFiles(wanted)?.map(({ titles }) => titles.at(-1) ?? "");
    // Tests in documentation have names with spaces, or end in `(documentation)`.
    if (names?.every(isRustPath) !== true || hasRefused(args, CARGO_REFUSED)) return undefined;
    const ends = args.includes("--no-fail-fast") ? [] : ["--no-fail-fast"];
    return [...args, ...ends, "--", "--exact", ...new Set(names)];
  },
  passed: passedInCargo,
};

function isRustPath(name: string): boolean {
  return /^[A-Za-z_]\w*(?:::\w+)*$/.test(name);
}

const CTEST_REFUSED = wordSet(
  "-R --tests-regex -E --exclude-regex -I --tests-information -N --show-only --rerun-failed -S --script -D --dashboard -M -T --build-and-test --repeat -Q --quiet --no-tests",
);

const ctest: Narrower = {
  name: "ctest",
  startOf: (words) => startsWith(words, "ctest"),
  isPerFile: false,
  narrow: (args, tests) => {
    const isAlone = tests.every(({ parts }) => parts.length === 1);
    if (!isAlone || hasRefused(args, CTEST_REFUSED)) return undefined;
    return [...args, "--no-tests=error", "-R", exactly(tests.map(({ parts }) => parts[0]))];
  },
  passed: passedInCtest,
};

function startsWith(
  words: readonly string[],
  program: string,
  command?: string,
): number | undefined {
  if (posix.basename(words[0] ?? "") !== program) return undefined;
  if (command === undefined) return 1;
  return words[1] === command ? 2 : undefined;
}

/** Runners of compiled languages. */
export const nativeNarrowers: readonly Narrower[] = [go, cargo, ctest];
