import { posix } from "node:path";
import type { ProjectFacts } from "../../base/ports/project-facts.ts";
import { shown } from "../../base/words/shown.ts";
import {
  entryFiles,
  packageManagerOf,
  readPackageJson,
  scriptOf,
} from "../../settings/detect/package-json.ts";
import type { RootFiles } from "../../settings/detect/root-files.ts";
import { javascript } from "../languages/javascript.ts";
import { IMPORT_WORD, isInCode, shortLines } from "./code-lines.ts";
import { fewNames, type Missing, type CommandsAtBase } from "./missing.ts";
import { mayMakeFiles } from "./node-scripts.ts";
import { folderFiles, isCode } from "./searched-files.ts";
import { settingWords } from "./setting-words.ts";

/** Packages of a workspace that are looked at. */
const PACKAGES_MAX = 100;

/** Folders that builds write into. */
const OUTPUT = /(?:^|\/)(?:dist|build|lib|out|output|esm|cjs|es)\//;

/** Whether a path is likely to be made by a build. */
export function isBuilt(path: string): boolean {
  return OUTPUT.test(path);
}

/** Packages of this repository whose files a build makes, and which tests import, while no build is known. */
export function unbuilt(facts: ProjectFacts, { build }: CommandsAtBase): readonly Missing[] {
  const root = folderFiles(facts, "");
  if (build.length > 0 || mayMakeFiles(root)) return [];
  const tracked = new Set(facts.files.map(({ path }) => path));
  const packages = [...facts.texts.keys()]
    .filter((path) => path.endsWith("/package.json"))
    .slice(0, PACKAGES_MAX)
    .map((path) => packageAt(facts, posix.dirname(path)))
    .filter((each) => isUnbuilt(each, tracked));
  const needed = [
    ...byPath(facts, tracked, root),
    ...packages.flatMap((each) => byName(facts, each, root)),
  ];
  if (needed.length === 0) return [];
  const paths = fewNames([...new Set(needed.map(({ path }) => shown(path)))]);
  const by = fewNames([...new Set(needed.map((each) => shown(each.by)))]);
  return [
    {
      kind: "built",
      what: `a build has to make ${paths}, which ${by} imports, but no build is known`,
      where: paths,
      remedy: buildRemedy(facts, { build }),
    },
  ];
}

/** How to have it built. */
export function buildRemedy(facts: ProjectFacts, { build }: Pick<CommandsAtBase, "build">): string {
  const root = folderFiles(facts, "");
  const manager = packageManagerOf(root);
  const ofAll =
    manager === "pnpm"
      ? ["pnpm", "-r", "run", "build"]
      : ["npm", "run", "build", "--workspaces", "--if-present"];
  const ofRoot = scriptOf(root, "build") === undefined ? undefined : [manager, "run", "build"];
  const isNode = root.names.has("package.json");
  const isKnown = ofRoot !== undefined || manager === "npm" || manager === "pnpm";
  if (!isNode || !isKnown || build.length > 0) {
    return "Name the commands that make it as `build` in .wisp/config.yaml.";
  }
  return `Name ${settingWords("build", { added: [ofRoot ?? ofAll] })} in .wisp/config.yaml.`;
}

interface Package {
  readonly folder: string;
  readonly manifest: RootFiles;
  readonly name: string;
}

function packageAt({ texts }: ProjectFacts, folder: string): Package {
  const read = (name: string) => texts.get(`${folder}/${name}`);
  const manifest = { names: new Set<string>(), read };
  return { folder, manifest, name: readPackageJson(manifest)?.name ?? "" };
}

/** Whether no file that a package offers is in the commit; types alone do not count. */
function isUnbuilt({ folder, manifest, name }: Package, tracked: ReadonlySet<string>): boolean {
  const entries = entryFiles(manifest)
    .filter((path) => !/\.d\.[cm]?ts$|\.json$|\*/.test(path))
    .map((path) => posix.join(folder, path));
  return (
    name !== "" &&
    entries.length > 0 &&
    entries.every((path) => isBuilt(path) && !tracked.has(path))
  );
}

interface Needed {
  readonly path: string;
  readonly by: string;
}

/** The first file outside a package that imports it by its name, unless settings lead the name elsewhere. */
function byName(
  { texts }: ProjectFacts,
  { folder, manifest, name }: Package,
  root: RootFiles,
): readonly Needed[] {
  const isMadeBy = scriptOf(manifest, "build") ?? scriptOf(root, "build");
  const scope = name.includes("/") ? `${posix.dirname(name)}/*` : `${name}/*`;
  const isLedElsewhere = [...texts].some(
    ([path, text]) => CONFIG.test(path) && (text.includes(name) || text.includes(scope)),
  );
  if (isMadeBy === undefined || isLedElsewhere) return [];
  for (const [path, text] of texts) {
    if (path.startsWith(`${folder}/`) || !isCode(path) || !text.includes(name)) continue;
    const named = importsIn(path, text).filter(
      ({ module }) => module === name || module.startsWith(`${name}/`),
    );
    if (named.some(({ line }) => isInCode({ path, text }, line, IMPORT_WORD))) {
      return [{ path: folder, by: path }];
    }
  }
  return [];
}

interface ModuleAt {
  readonly module: string;
  /** From 0. */
  readonly line: number;
}

function importsIn(path: string, text: string): readonly ModuleAt[] {
  const { imports } = javascript;
  if (imports?.extensions.some((each) => path.endsWith(`.${each}`)) !== true) return [];
  return shortLines(text).flatMap((each, line) =>
    IMPORT_WORD.test(each) ? imports.modulesIn(each).map((module) => ({ module, line })) : [],
  );
}

const CONFIG =
  /(?:^|\/)(?:tsconfig[\w.-]*\.json|(?:vitest|vite|jest|babel|webpack|rollup|ava)\.\w+\.[cm]?[jt]s)$/;

/** Test files that import a path which a build writes. */
function byPath(
  { texts }: ProjectFacts,
  tracked: ReadonlySet<string>,
  root: RootFiles,
): readonly Needed[] {
  if (scriptOf(root, "build") === undefined) return [];
  const { imports, testFiles } = javascript;
  return [...texts].flatMap(([path, text]) => {
    const isTest = testFiles?.test(path) === true || /(?:^|\/)(?:__)?tests?(?:__)?\//.test(path);
    if (!isTest || !isCode(path) || imports === undefined) return [];
    return importsIn(path, text)
      .filter(({ module }) => module.startsWith("."))
      .map(({ module, line }) => ({ module, line, place: posix.join(posix.dirname(path), module) }))
      .filter(({ place }) => isBuilt(place.replace(/\/*$/, "/")))
      .filter(({ module, line }) => {
        const places = imports.placesOf(path, module.replace(/\/$/, "")).flat();
        const isThere = places.some((each) => tracked.has(each) || isFolder(each, tracked));
        return !isThere && isInCode({ path, text }, line, IMPORT_WORD);
      })
      .map(({ place }) => ({ path: place, by: path }));
  });
}

/** A folder of the commit may have an entry that its own package.json names. */
function isFolder(path: string, tracked: ReadonlySet<string>): boolean {
  return tracked.has(`${path}/package.json`);
}
