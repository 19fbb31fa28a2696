import { ofAnyLanguage } from "../languages/all-languages.ts";
import { IMPORT_READERS, type ImportEdge } from "./import-edges.ts";

/** What imports what in a tree, as far as it matters here. */
export interface ImportGraph {
  readonly edges: readonly ImportEdge[];
  /** Test files, and files that only run them. */
  readonly isTest: (path: string) => boolean;
}

/**
 * Of these modules those that nothing but tests imports, directly or through other such modules. Where
 * nothing imports a module at all it is none: it may be the product's own beginning.
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
    // Modules that import one another are as those that import them.
    known.set(path, true);
    const own = importers.get(path) ?? [];
    const is = own.length > 0 && own.every(({ from }) => isTest(from) || isOnly(from));
    known.set(path, is);
    return is;
  };
  return modules.filter((path) => !isTest(path) && isOnly(path));
}

/** A name of a path that says that what is there is for tests. */
const FOR_TESTS =
  /(?:^|[/._-])(?:tests?|testing|test-?(?:utils?|kit|helpers?|support)|specs?|fixtures?|mocks?|stubs?|fakes?|matchers?|assertions?|expect)(?=[/._-]|$)/i;
/** Only what is for tests imports these. */
const TESTS_IMPORT = ofAnyLanguage(({ imports }) => imports?.onlyOfTests, [], "m");
/** What may end a test as failed. */
const CAN_FAIL = /\bthrow\b|\bassert|AssertionError|\braise\b|\.fail\(/;

/**
 * Whether a module that only tests import is a part of the tests, and not what they test, which may have no
 * other importer either: its path or its imports say so; or it can fail, and each test that imports it calls
 * it for nothing but that, as a statement of its own.
 *
 * @param uses texts of the test files that import it, with the names of the module in each
 */
export function isPartOfTests(
  path: string,
  text: string,
  uses: readonly { readonly text: string; readonly name: string }[],
): boolean {
  if (FOR_TESTS.test(path) || TESTS_IMPORT.test(text)) return true;
  return CAN_FAIL.test(text) && uses.length > 0 && uses.every(isCalledAlone);
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

/** Names by which an import line has what it imports; of one that names none, none. */
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
