import { posix } from "node:path";
import type { TestFile } from "./test-language.ts";

/** The name of a loaded module. */
const MODULE = /\b(?:from|import|require)\b[\s(]*["'`]([^"'`\n]+)["'`]/;
/** The beginning of a line that loads something as soon as its file is loaded. */
const AT_LOAD = /^(?:import|export|const|let|var|require|[})])/;
/** What the language or a runner brings along, and what is not code. */
const NOT_TAKEN =
  /^node:|^(?:assert|fs|path|os|util|url|child_process|events|stream|https?|crypto)(?:\/|$)|^(?:vitest|jest|mocha|chai|sinon|ava|tap)(?:$|\/)|^@(?:jest|vitest)\/|\.(?:json|css|scss|svg|png|html|txt|node)$/;
/** A test that puts something in the place of a module could not load the real one, perhaps. */
const STANDS_IN = /\b(?:jest|vi)\.(?:mock|doMock|unstable_mockModule)\b|\bmock\.module\b/;

/**
 * The modules, except those of the language and of runners, that a test file of JavaScript loads with itself, named as
 * from another folder.
 */
export function modulesTaken({ path, text }: TestFile, folder: string): readonly string[] {
  if (STANDS_IN.test(text)) return [];
  const lines = text.replace(/\/\*[^]*?\*\//g, "").split("\n");
  const names = lines.flatMap((line) =>
    AT_LOAD.test(line) && !/=>|\bfunction\b|^import type\b/.test(line)
      ? (MODULE.exec(line)?.[1] ?? [])
      : [],
  );
  return names.filter((name) => !NOT_TAKEN.test(name)).map((name) => seenFrom(folder, path, name));
}

function seenFrom(folder: string, path: string, name: string): string {
  if (!name.startsWith(".")) return name;
  const to = posix.relative(folder, posix.join(posix.dirname(path), name));
  return to.startsWith(".") ? to : `./${to}`;
}

/** The statements by which a test file of Python loads modules with itself, as far as they mean the same in a folder. */
export function statementsTaken({ path, text }: TestFile, folder: string): readonly string[] {
  const isBeside = posix.dirname(path) === folder;
  return [...text.matchAll(STATEMENT)]
    .map(([statement]) => statement.trimEnd())
    .filter((statement) => isBeside || !/^from\s+\./.test(statement));
}

/** An import that is not indented, also over several lines, and what it may need to be found. */
const STATEMENT =
  /^(?:import\s[^\n]+|from\s+(?!__future__)[.\w]+\s+import\s+(?:\([^)]*\)[^\n]*|(?:[^\n\\]|\\\n)+)|sys\.path\.[^\n]+)/gm;
