import { posix } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { named } from "../integrity/left-out.ts";
import type { Tampering } from "../integrity/tampering.ts";
import { calledBy, mayRun, type Called } from "./called-by-verify.ts";
import { CommitReader } from "./commit-reader.ts";
import {
  dataOfTests,
  mayBeData,
  mayReadData,
  type DataOfTests,
  type NamedBy,
} from "./data-of-tests.ts";
import { IMPORT_LINES, importEdges, importReaderOf, type ImportEdge } from "./import-edges.ts";
import { productWords, publishedIn } from "./product-words.ts";
import {
  restoredManifests,
  type ManifestRange,
  type RestoredManifests,
} from "./restored-manifests.ts";
import { isManifest, isRunnerSettings } from "./runner-settings.ts";
import { shadowing } from "./shadowing.ts";
import { isMeantForTests, isPartOfTests, onlyTestsImport } from "./test-only.ts";

/**
 * What a range changed in the harness: the files by which tests run, except the tests themselves. All fields
 * are empty if nothing changed.
 */
export interface HarnessChange extends RestoredManifests {
  /** Files to restore as they were at the start of the range. */
  readonly overlaid: readonly string[];
  /**
   * Those of them that verify's commands lead to without starting them, and that nothing shows to be part of the tests:
   * they may be the product under test.
   */
  readonly doubtful: readonly string[];
  /** Those of them that are data which tests read: a text may ask for a change to it as for one to a test. */
  readonly data: readonly string[];
  /** New files to remove, because their mere presence changes what runs. */
  readonly removed: readonly string[];
  /** Names of the commands that verify called at the start, by the files that define them. */
  readonly called: Called["commands"];
  /** What was left out, in words; empty if everything was compared. */
  readonly uncompared: readonly string[];
}

export interface HarnessRange extends ManifestRange {
  readonly verify: readonly (readonly string[])[];
  readonly isTest: (path: string) => boolean;
  /** All paths at `start`. */
  readonly before: ReadonlySet<string>;
}

type Tree = Pick<Clone, "linesLike" | "show">;

/** In a repository with more files than this, imports are not analysed. */
const GRAPH_PATHS_MAX = 100_000;
/** Limit for one range; further files are not restored. */
const FILES_MAX = 1_000;

/**
 * Compares the harness at both ends of a range: settings of runners and package managers, files that verify's
 * commands name directly or indirectly, modules that only tests import, and new files that shadow any of these.
 * Returns what is needed to restore the harness of the start.
 */
export async function harnessChange(
  clone: Tree,
  range: HarnessRange,
): Promise<Result<HarnessChange, GitFailure>> {
  const { before, after } = range;
  const reader = new CommitReader(clone);
  // Git cannot be given back a name that is not UTF-8.
  const changed = range.changed.filter((path) => !path.includes("\uFFFD"));
  const called = await calledBy(range.verify, {
    paths: before,
    read: (path) => reader.read(range.start, path),
  });
  const graph = await graphAt(clone, range.start, before);
  if (!graph.ok) return graph;
  const comparison: Comparison = {
    range,
    before,
    after,
    changed,
    called,
    edges: graph.value,
    isGraphWhole: before.size <= GRAPH_PATHS_MAX,
    reader,
  };
  const added = changed.filter((path) => !before.has(path) && after.has(path));
  const old = graph.value.filter(({ from }) => range.isTest(from));
  const inTheWay = shadowing(added, { edges: old, before, after });
  const isInTheWay = (path: string) => isRunnerSettings(path) || inTheWay.includes(path);
  const removed = added.filter(isInTheWay);
  const { overlaid: others, doubtful } = await filesToOverlay(comparison);
  const { data, uncompared } = await dataIn(clone, comparison, others);
  const overlaid = [...others, ...data].sort();
  const manifests = await restoredManifests({ ...range, changed }, called, reader);
  if (reader.failure !== undefined) return { ok: false, failure: reader.failure };
  return ok({
    overlaid: overlaid.slice(0, FILES_MAX),
    doubtful,
    data,
    removed: removed.slice(0, FILES_MAX),
    ...manifests,
    called: called.commands,
    uncompared: [
      ...(await leftOut(comparison, { overlaid, removed })),
      ...(uncompared === "" ? [] : [uncompared]),
    ],
  });
}

/** What was left out, as far as it may belong to the harness. */
async function leftOut(
  comparison: Comparison,
  {
    overlaid,
    removed,
  }: { readonly overlaid: readonly string[]; readonly removed: readonly string[] },
): Promise<readonly string[]> {
  const { range, before, changed, called, isGraphWhole } = comparison;
  const more = [overlaid, removed].reduce(
    (sum, files) => sum + Math.max(0, files.length - FILES_MAX),
    0,
  );
  const others = changed.filter(
    (path) =>
      before.has(path) && !range.isTest(path) && !isManifest(path) && !overlaid.includes(path),
  );
  const unfollowed = called.isWhole ? [] : await withoutProduct(comparison, others.filter(mayRun));
  const unlinked = isGraphWhole ? [] : others.filter((path) => importReaderOf(path) !== undefined);
  return [
    ...(more > 0 ? [`${String(more)} more files by which tests run than are put back`] : []),
    ...(unfollowed.length > 0
      ? [`verify leads to more files than are followed, perhaps to ${named(unfollowed)}`]
      : []),
    ...(unlinked.length > 0
      ? [`in so large a repository imports are not read, perhaps of ${named(unlinked)} by tests`]
      : []),
  ];
}

/** Lists the changes of the harness one by one, for people. */
export function harnessTampering({ overlaid, removed }: HarnessChange): readonly Tampering[] {
  const of = (file: string, change: object): Tampering => {
    return { kind: "harness", file, line: 1, what: "", ...change };
  };
  return [
    ...overlaid.map((file) => of(file, {})),
    ...removed.map((file) => of(file, { before: undefined, after: "new" })),
  ];
}

interface Comparison {
  readonly range: HarnessRange;
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
  readonly changed: readonly string[];
  readonly called: Called;
  readonly edges: readonly ImportEdge[];
  readonly isGraphWhole: boolean;
  readonly reader: CommitReader;
}

async function graphAt(
  clone: Tree,
  at: Oid,
  paths: ReadonlySet<string>,
): Promise<Result<readonly ImportEdge[], GitFailure>> {
  if (paths.size > GRAPH_PATHS_MAX) return ok([]);
  const lines = await clone.linesLike(at, IMPORT_LINES);
  return lines.ok ? ok(importEdges(lines.value, paths)) : lines;
}

async function filesToOverlay(
  comparison: Comparison,
): Promise<Pick<HarnessChange, "overlaid" | "doubtful">> {
  const { range, before, changed, called, edges } = comparison;
  const existing = changed.filter((path) => before.has(path) && !range.isTest(path));
  const settings = existing.filter((path) => isRunnerSettings(path));
  const rest = existing.filter((path) => !isRunnerSettings(path) && !isManifest(path));
  const isHarness = (path: string) =>
    range.isTest(path) || called.files.has(path) || isRunnerSettings(path);
  const reached = await withoutProduct(
    comparison,
    rest.filter((path) => called.files.has(path)),
  );
  const others = rest.filter((path) => !called.files.has(path));
  const parts: string[] = [];
  for (const path of onlyTestsImport(others, { edges, isTest: isHarness })) {
    if (await isHelper(comparison, path)) parts.push(path);
  }
  const doubtful: string[] = [];
  for (const path of reached) if (!(await isShown(comparison, path))) doubtful.push(path);
  return { overlaid: [...settings, ...reached, ...parts].sort(), doubtful };
}

/** The data that tests read, and that neither verify's commands nor anything of the product names. */
async function dataIn(
  clone: Tree,
  comparison: Comparison,
  overlaid: readonly string[],
): Promise<DataOfTests> {
  const { range, before, changed, called, edges, reader } = comparison;
  const { start: at } = range;
  const isOther = (path: string) =>
    range.isTest(path) || isManifest(path) || called.files.has(path) || overlaid.includes(path);
  const files = changed.filter((path) => before.has(path) && mayBeData(path) && !isOther(path));
  const published = publishedIn((await reader.read(at, "package.json")) ?? "");
  const kindOf = (path: string) => kindIn(comparison, path);
  return dataOfTests(clone, { at, files, edges, published, kindOf });
}

/** What a file is that names data. */
async function kindIn(comparison: Comparison, path: string): Promise<NamedBy> {
  const { range, called, edges } = comparison;
  if (range.isTest(path) || called.started.has(path)) return "tests";
  const isSteering = isRunnerSettings(path) || posix.basename(path) === "package.json";
  if (isSteering || !mayReadData(path)) return "others";
  if (called.files.has(path)) return (await isShown(comparison, path)) ? "tests" : "product";
  const isOnly = onlyTestsImport([path], { edges, isTest: range.isTest }).length > 0;
  return isOnly && (await isHelper(comparison, path)) ? "tests" : "product";
}

/** Whether a file that verify leads to is shown to be part of the tests: verify starts it, or its path or text says so. */
async function isShown({ range, called, reader }: Comparison, path: string): Promise<boolean> {
  if (called.started.has(path)) return true;
  return isMeantForTests(path, (await reader.read(range.start, path)) ?? "");
}

/** How many importers of one module are read. If it is a helper, they all use it in the same way. */
const USERS_MAX = 20;

async function isHelper({ edges, range, reader }: Comparison, path: string): Promise<boolean> {
  const own = edges.filter(({ to, from }) => to === path && range.isTest(from));
  const uses: { text: string; name: string }[] = [];
  for (const { from, name } of own.slice(0, USERS_MAX)) {
    uses.push({ text: (await reader.read(range.start, from)) ?? "", name });
  }
  return isPartOfTests(path, (await reader.read(range.start, path)) ?? "", uses);
}

/**
 * Leaves out files that verify's commands name but that belong to the product: other files of the product
 * import them, or its manifest names them as entry points.
 */
async function withoutProduct(
  { range, before, called, edges, reader }: Comparison,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const isHarness = (path: string) =>
    range.isTest(path) || called.files.has(path) || isRunnerSettings(path);
  const imported = new Set(edges.filter(({ from }) => !isHarness(from)).map(({ to }) => to));
  const manifest = before.has("package.json")
    ? await reader.read(range.start, "package.json")
    : undefined;
  const entryPoints = productWords(manifest ?? "");
  return paths.filter((path) => !imported.has(path) && !entryPoints.includes(path));
}
