import { ofAnyLanguage } from "../languages/all-languages.ts";
import { IMPORT_READERS, type ImportEdge } from "./import-edges.ts";

/** The imports between the files of a tree. */
export interface ImportGraph {
  readonly edges: readonly ImportEdge[];
  /** Whether a file is a test, or only runs tests. */
  readonly isTest: (path: string) => boolean;
}

/**
 * The modules that only tests import, directly or through other such modules. A module that nothing imports is
 * left out: it may be the product's entry point.
 */
export function onlyTestsImport(
  modules: readonly string[],
  { edges, isTest }: ImportGraph,
): readonly string[] {
  const importers = new Map<string, ImportEdge[]>();
  for (const edge of edges) importers.set(edge.to, [...(importers.get(edge.to) ?? []), edge]);
  const known = new Map<string, boolean>();
  const isOnly = (path: string): boolean => {
    const answer = known.get(path);
    if (answer !== undefined) return answer;
    // For cycles of imports: assume yes until the importers from outside decide.
    known.set(path, true);
    const own = importers.get(path) ?? [];
    const isImportedByTestsOnly =
      own.length > 0 && own.every(({ from }) => isTest(from) || isOnly(from));
    known.set(path, isImportedByTestsOnly);
    return isImportedByTestsOnly;
  };
  return modules.filter((path) => !isTest(path) && isOnly(path));
}

/** Words in a path that mark a file as meant for tests. */
const FOR_TESTS =
  /(?:^|[/._-])(?:tests?|testing|test-?(?:utils?|kit|helpers?|support)|specs?|fixtures?|mocks?|stubs?|fakes?|matchers?|assertions?|expect)(?=[/._-]|$)/i;
/** Imports that only test code contains. */
const TESTS_IMPORT = ofAnyLanguage(({ imports }) => imports?.onlyOfTests, [], "m");
/** Code that may make a test fail. */
const CAN_FAIL = /\bthrow\b|\bassert|AssertionError|\braise\b|\.fail\(/;

/**
 * Whether a module that only tests import is a test helper rather than the code under test, which may have no
 * other importer either. It is a helper if its path or its imports show it, or if it can fail and every
 * importing test calls it only as a statement of its own.
 *
 * @param uses texts of the test files that import the module, each with the name by which it does
 */
export function isPartOfTests(
  path: string,
  text: string,
  uses: readonly { readonly text: string; readonly name: string }[],
): boolean {
  if (isMeantForTests(path, text)) return true;
  return CAN_FAIL.test(text) && uses.length > 0 && uses.every(isCalledAlone);
}

/** Whether a module's path, or what only tests import, says that it is there for tests. */
export function isMeantForTests(path: string, text: string): boolean {
  return FOR_TESTS.test(path) || TESTS_IMPORT.test(text);
}

function isCalledAlone({ text, name }: { readonly text: string; readonly name: string }): boolean {
  const lines = text.split("\n");
  const imports = lines.filter((line) => line.includes(name));
  const names = [...new Set(imports.flatMap(namesImported))];
  if (names.length === 0) return false;
  const rest = lines.filter((line) => !imports.includes(line));
  return names.every((each) => {
    const word = each.replaceAll("$", "\\$");
    const used = rest.filter((line) => new RegExp(`(?<![\\w$.])${word}(?![\\w$])`).test(line));
    const alone = new RegExp(`(?:^|[{;]|=>)\\s*(?:await\\s+|yield\\s+)?${word}(?:\\.\\w+)*\\s*\\(`);
    return used.every((line) => alone.test(line));
  });
}

/** The names that an import line binds; empty if it binds none. */
function namesImported(line: string): readonly string[] {
  const fitting = IMPORT_READERS.flatMap(({ bindings }) => bindings).find((each) =>
    each.test(line),
  );
  const bound = fitting?.exec(line)?.[1] ?? "";
  return bound
    .replace(/[{}()*]/g, " ")
    .split(",")
    .flatMap((each) => /([\w$]+)\s*$/.exec(each)?.[1] ?? []);
}
