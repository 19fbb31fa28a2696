import type { Oid } from "../../base/oid.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Texts } from "../integrity/compare-tests.ts";
import type { Tampering } from "../integrity/tampering.ts";
import { withTestCommandsOf } from "../integrity/test-commands.ts";
import { calledBy, type Called } from "./called-by-verify.ts";
import { IMPORT_LINES, importEdges, type ImportEdge } from "./import-edges.ts";
import { isManifest, isRunnerSettings, withRunnerSettings } from "./runner-settings.ts";
import { shadowing } from "./shadowing.ts";
import { isPartOfTests, onlyTestsImport } from "./test-only.ts";

/** What a range did to the files by which tests run, beside the tests themselves; empty: nothing. */
export interface HarnessChange {
  /** Files that are put back as they were at its start. */
  readonly laid: readonly string[];
  /** New files that are taken away, for they change by their presence what runs. */
  readonly away: readonly string[];
  /** Files of the tree after it with what steers tests as it was before. */
  readonly restored: Texts;
  /** Names of commands that verify called at its start, by the files that state them. */
  readonly called: Called["commands"];
}

export interface HarnessRange {
  readonly start: Oid;
  readonly end: Oid;
  readonly verify: readonly (readonly string[])[];
  /** Paths that differ between the two. */
  readonly changed: readonly string[];
  readonly isTest: (path: string) => boolean;
}

type Tree = Pick<Clone, "pathsAt" | "linesLike" | "show">;

/** A repository with more files than this is looked at without what imports what. */
const GRAPH_PATHS_MAX = 50_000;
/** Of one range; what comes after is left out. */
const FILES_MAX = 200;

/**
 * The harness of a range: settings of runners and package managers, files that words of verify name and words
 * of what it calls, modules that only tests import, and new files in the way of any of these. As it stood at
 * the start, as far as the range changed it.
 */
export async function harnessChange(
  clone: Tree,
  range: HarnessRange,
): Promise<Result<HarnessChange, GitFailure>> {
  const listed = await clone.pathsAt(range.start);
  if (!listed.ok) return listed;
  const now = await clone.pathsAt(range.end);
  if (!now.ok) return now;
  const reader = new Reader(clone);
  const before = new Set(listed.value);
  const after = new Set(now.value);
  // A name that is not UTF-8 cannot be given back to git.
  const changed = range.changed.filter((path) => !path.includes("\uFFFD"));
  const called = await calledBy(range.verify, {
    paths: before,
    read: (path) => reader.read(range.start, path),
  });
  const graph = await graphAt(clone, range.start, before);
  if (!graph.ok) return graph;
  const look: Look = { range, before, after, changed, called, edges: graph.value, reader };
  const added = changed.filter((path) => !before.has(path) && after.has(path));
  const old = graph.value.filter(({ from }) => range.isTest(from));
  const inTheWay = shadowing(added, { edges: old, before, after });
  const isAway = (path: string) => isRunnerSettings(path) || inTheWay.includes(path);
  const laid = await laidBack(look);
  const restored = await restoredIn(look);
  if (reader.failure !== undefined) return { ok: false, failure: reader.failure };
  return ok({
    laid: laid.slice(0, FILES_MAX),
    away: added.filter(isAway).slice(0, FILES_MAX),
    restored,
    called: called.commands,
  });
}

/** What was changed of the harness, one by one, for people. */
export function harnessTampering({ laid, away }: HarnessChange): readonly Tampering[] {
  const of = (file: string, change: object): Tampering => {
    return { kind: "harness", file, line: 1, what: "", ...change };
  };
  return [
    ...laid.map((file) => of(file, {})),
    ...away.map((file) => of(file, { before: undefined, after: "new" })),
  ];
}

interface Look {
  readonly range: HarnessRange;
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
  readonly changed: readonly string[];
  readonly called: Called;
  readonly edges: readonly ImportEdge[];
  readonly reader: Reader;
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

async function laidBack(look: Look): Promise<readonly string[]> {
  const { range, before, changed, called, edges } = look;
  const was = changed.filter((path) => before.has(path) && !range.isTest(path));
  const settings = was.filter((path) => isRunnerSettings(path));
  const rest = was.filter((path) => !isRunnerSettings(path) && !isManifest(path));
  const isHarness = (path: string) =>
    range.isTest(path) || called.files.has(path) || isRunnerSettings(path);
  const named = await withoutProduct(
    look,
    rest.filter((path) => called.files.has(path)),
  );
  const others = rest.filter((path) => !called.files.has(path));
  const parts: string[] = [];
  for (const path of onlyTestsImport(others, { edges, isTest: isHarness })) {
    if (await isHelper(look, path)) parts.push(path);
  }
  return [...settings, ...named, ...parts].sort();
}

/** Importers of one module that are looked at; they use it in the same way, or none can be told. */
const USERS_MAX = 20;

async function isHelper({ edges, range, reader }: Look, path: string): Promise<boolean> {
  const own = edges.filter(({ to, from }) => to === path && range.isTest(from));
  const uses: { text: string; name: string }[] = [];
  for (const { from, name } of own.slice(0, USERS_MAX)) {
    uses.push({ text: (await reader.read(range.start, from)) ?? "", name });
  }
  return isPartOfTests(path, (await reader.read(range.start, path)) ?? "", uses);
}

/**
 * Without the files that are the product's own, although words of verify name them: what other files of it
 * import, and what its manifest names as its own beginning.
 */
async function withoutProduct(
  { range, before, called, edges, reader }: Look,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const isHarness = (path: string) =>
    range.isTest(path) || called.files.has(path) || isRunnerSettings(path);
  const imported = new Set(edges.filter(({ from }) => !isHarness(from)).map(({ to }) => to));
  const manifest = before.has("package.json")
    ? await reader.read(range.start, "package.json")
    : undefined;
  const said = productWords(manifest ?? "");
  return paths.filter((path) => !imported.has(path) && !said.includes(path));
}

/** What a package.json names beside scripts for tests. */
function productWords(manifest: string): readonly string[] {
  const fields = ["main", "module", "browser", "types", "bin", "exports"];
  const scripts = ["start", "serve", "dev", "install", "postinstall"];
  try {
    const all: unknown = JSON.parse(manifest);
    if (typeof all !== "object" || all === null) return [];
    const own = Object.entries(all).filter(([key]) => fields.includes(key));
    const stated: unknown = Object.getOwnPropertyDescriptor(all, "scripts")?.value;
    const run =
      typeof stated === "object" && stated !== null
        ? Object.entries(stated).filter(([key]) => scripts.includes(key))
        : [];
    return JSON.stringify([own, run])
      .split(/[\s"\\]+/)
      .map((word) => word.replace(/^\.\//, ""));
  } catch {
    return [];
  }
}

async function restoredIn({ range, after, changed, called, reader }: Look): Promise<Texts> {
  const restored = new Map<string, string>();
  for (const path of changed) {
    const isStating = called.commands.has(path) && !isRunnerSettings(path);
    if ((!isManifest(path) && !isStating) || !after.has(path)) continue;
    const was = await reader.read(range.start, path);
    const now = (await reader.read(range.end, path)) ?? "";
    const steered = withRunnerSettings(path, was, now);
    const names = called.commands.get(path);
    const text = withTestCommandsOf(path, was ?? "", steered ?? now, names) ?? steered;
    if (text !== undefined) restored.set(path, text);
  }
  return restored;
}

/** Texts of files at commits; the first failure of git is kept. */
class Reader {
  failure: GitFailure | undefined;
  readonly #clone: Pick<Clone, "show">;
  constructor(clone: Pick<Clone, "show">) {
    this.#clone = clone;
  }

  async read(at: Oid, path: string): Promise<string | undefined> {
    const shown = await this.#clone.show(at, path);
    if (shown.ok) return shown.value;
    this.failure ??= shown.failure;
    return undefined;
  }
}
