import { posix } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { testLanguageOf } from "../languages/all-languages.ts";
import { importReaderOf, type ImportEdge } from "./import-edges.ts";
import { namesOnLine, PathNames } from "./names-on-line.ts";

/** What a file is that names data: a part of the tests, of the product, or of neither. */
export type NamedBy = "tests" | "product" | "others";

/** The data that a range changed, and the commit at which the names of it are looked for. */
export interface ChangedData {
  readonly at: Oid;
  /** Changed files that existed at that commit and that `mayBeData`. */
  readonly files: readonly string[];
  /** The imports between files of that commit. */
  readonly edges: readonly ImportEdge[];
  /** Files and folders that the product is published with. */
  readonly published: readonly string[];
  /** What a file of that commit is that names one of them. */
  readonly kindOf: (path: string) => Promise<NamedBy>;
}

/** What the tests read, and what was left out, in words; "" if nothing was. */
export interface DataOfTests {
  readonly data: readonly string[];
  readonly uncompared: string;
}

/** Data files of one range whose names are looked for. */
const LOOKED_MAX = 1_000;

/** Languages of programs, besides those whose imports or tests wisp reads. */
const PROGRAM =
  /\.(?:[ch]|cc|cpp|cxx|hpp|hxx|mm?|cs|fs|vb|java|kts?|groovy|gradle|scala|clj[cs]?|swift|dart|php|p[lm]|lua|jl|r|exs?|erl|hrl|hs|mli?|nim|zig|asm|s|f90|sh|bash|zsh|fish|ps1|bat|cmd|mk|cmake|s?css|sass|less|x?html?|astro|ejs|hbs|pug|erb|tmpl|sql|prisma|proto|thrift|graphqls?|gql|svelte|wasm|so|dylib|dll|exe|jar|class|pyc|a|o)$/i;
/** Texts for people, which come with the product. */
const DOCUMENT = /\.(?:mdx?|markdown|rst|adoc)$/i;
const PROSE =
  /^(?:readme|changelog|changes|history|news|licen[cs]e|notice|contributing)(?:\.txt)?$/i;
const LOCK = /(?:[.-]lock(?:file|b)?(?:\.\w+)?|shrinkwrap\.json|go\.sum)$/i;
const INSTALLED = /(?:^|\/)(?:node_modules|vendor|\.[^/]+)\//;
/** Words in a path that mark data as meant for tests. */
const FOR_TESTS =
  /(?:^|[/._-])(?:tests?(?:-?data)?|specs?|fixtures?|mocks?|stubs?|fakes?|goldens?|expected|expectations?|snapshots?|approved|baselines?)(?=[/._-]|$)/i;

/** Whether data is meant for tests, by its path. */
export function isDataForTests(path: string): boolean {
  return FOR_TESTS.test(path);
}

/** The files that a range changed or removed and whose paths say that they are meant for tests. */
export async function changedForTests(
  clone: Pick<Clone, "changedPaths">,
  { start, end }: { readonly start: Oid; readonly end: Oid },
): Promise<Result<readonly string[], GitFailure>> {
  // From the end to the start: what the range added is deleted there.
  const back = await clone.changedPaths(end, start);
  if (!back.ok) return back;
  const former = back.value.filter(({ status }) => status !== "deleted").map(({ path }) => path);
  // Git cannot be given back a name that is not UTF-8.
  return ok(former.filter((path) => isDataForTests(path) && !path.includes("\uFFFD")));
}

/** Whether a file may be data that tests read, by its path. A program is that only where data of tests is kept. */
export function mayBeData(path: string): boolean {
  const name = posix.basename(path);
  // A name without an ending may be that of a program, and one that begins with a dot belongs to a tool.
  const isPlain = !name.startsWith(".") && name.includes(".");
  if (!isPlain || INSTALLED.test(path) || PROSE.test(name)) return false;
  if (isDataForTests(path)) return true;
  const isCode = importReaderOf(path) !== undefined || testLanguageOf(path) !== undefined;
  return !isCode && !PROGRAM.test(path) && !DOCUMENT.test(path) && !LOCK.test(name);
}

/** Whether a file that is no test may be a part of the product that reads data: no text for people, and no tool's. */
export function mayReadData(path: string): boolean {
  const name = posix.basename(path);
  const isTold = PROSE.test(name) || DOCUMENT.test(name) || LOCK.test(name);
  return !isTold && !name.startsWith(".") && !INSTALLED.test(path) && !isDataForTests(path);
}

/**
 * Those of the changed files that tests name, by their own name or by that of a folder, and that the product does not: they
 * are what tests try or expect. If their names cannot be looked for, none is known.
 */
export async function dataOfTests(
  clone: Pick<Clone, "linesLike">,
  { at, files, edges, published, kindOf }: ChangedData,
): Promise<DataOfTests> {
  const looked = files.slice(0, LOOKED_MAX);
  if (looked.length === 0) return { data: [], uncompared: "" };
  const known = new PathNames(looked);
  const lines = await clone.linesLike(at, { pattern: known.pattern, names: ["*"] });
  if (!lines.ok) return { data: [], uncompared: "what tests read could not be looked for" };
  const namers = new Map<string, Set<string>>();
  const note = (path: string, file: string) => {
    if (path !== file) namers.set(path, (namers.get(path) ?? new Set()).add(file));
  };
  for (const { path, text } of lines.value)
    for (const file of namesOnLine(text).flatMap((each) => known.meantBy(each))) note(path, file);
  for (const { from, to } of edges) if (looked.includes(to)) note(from, to);
  const named = { tests: new Set<string>(), product: new Set<string>(), others: new Set<string>() };
  for (const [path, all] of namers) {
    const kind = named[await kindOf(path)];
    for (const file of all) kind.add(file);
  }
  const isPublished = (file: string) =>
    published.some((each) => file === each || file.startsWith(`${each.replace(/\/$/, "")}/`));
  const data = looked.filter(
    (file) => named.tests.has(file) && !named.product.has(file) && !isPublished(file),
  );
  const more = files.length - looked.length;
  const uncompared =
    more > 0 ? `${String(more)} more files that tests may read than are looked for` : "";
  return { data, uncompared };
}
