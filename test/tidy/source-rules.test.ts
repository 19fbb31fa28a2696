import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { repositoryFiles, repositoryRoot, sourceFiles, textOf } from "./repository.ts";
import {
  anyLinesIn,
  carriesUnit,
  exportedConstantsIn,
  homePathsIn,
  importsIn,
  packageOf,
  pathsBelow,
  subscribeLinesIn,
  thrownErrorLinesIn,
  unexplainedDisablesIn,
} from "./source-facts.ts";

const FILE_LINES_MAX = 300;
const FOLDER_FILES_MAX = 25;

/** Where each kind of process subscribes, once. A new entry means a new kind of process. */
const SUBSCRIBERS: readonly string[] = [];

const Owners = z.record(z.string(), z.union([z.literal("any"), z.array(z.string())]));

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() }),
  ),
});

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()),
});

/** `path:line` for each line that `find` names in a source file. */
function sourcePlaces(find: (text: string) => readonly number[]): readonly string[] {
  return sourceFiles().flatMap((path) =>
    find(textOf(path)).map((line) => `${path}:${String(line)}`),
  );
}

test("there are source files to check", () => {
  expect(sourceFiles().length).toBeGreaterThan(10);
});

test(`no source file has more than ${FILE_LINES_MAX} lines`, () => {
  const long = sourceFiles().filter((path) => textOf(path).split("\n").length - 1 > FILE_LINES_MAX);
  expect(long).toEqual([]);
});

test(`no folder of the source has more than ${FOLDER_FILES_MAX} files`, () => {
  const counts = new Map<string, number>();
  for (const path of sourceFiles()) {
    const folder = dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect(counts.size).toBeGreaterThan(20);
  expect([...counts].filter(([, count]) => count > FOLDER_FILES_MAX)).toEqual([]);
});

test("a source file is named in kebab-case after its content, not `utils` or the like", () => {
  const drawers = /^(?:index|utils?|helpers?|common|misc|types|manager|shared)\.ts$/;
  const odd = sourceFiles()
    .map((path) => basename(path))
    .filter((name) => drawers.test(name) || !/^[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(name));
  expect(odd).toEqual([]);
});

test("each process subscribes in one place", () => {
  const places = sourcePlaces(subscribeLinesIn).map((place) => place.replace(/:\d+$/, ""));
  expect(places).toEqual([...SUBSCRIBERS].sort());
});

test("no source file uses `any`", () => {
  expect(sourcePlaces(anyLinesIn)).toEqual([]);
});

test("only the assertion module throws a plain Error", () => {
  const places = sourcePlaces(thrownErrorLinesIn);
  expect(places.filter((place) => !place.startsWith("src/base/assert.ts:"))).toEqual([]);
});

test("every disabled lint rule has a reason", () => {
  const places = repositoryFiles()
    .filter((path) => /\.[jt]s$/.test(path) && path !== "test/tidy/source-facts.test.ts")
    .flatMap((path) => unexplainedDisablesIn(textOf(path)).map((line) => `${path}:${line}`));
  expect(places).toEqual([]);
});

test("the name of each limit contains its unit", () => {
  const limits = exportedConstantsIn(textOf("src/base/limits.ts"));
  expect(limits.length).toBeGreaterThan(10);
  expect(limits.filter((name) => !carriesUnit(name))).toEqual([]);
});

test("each external package is imported only by the layers that own it", () => {
  const owners = Owners.parse(JSON.parse(textOf("test/tidy/import-owners.json")));
  const mayImport = (path: string, name: string): boolean => {
    const allowed = owners[name] ?? [];
    const place = path.slice("src/".length);
    return (
      allowed === "any" || allowed.includes(place.split("/")[0] ?? "") || allowed.includes(place)
    );
  };
  const trespasses = sourceFiles().flatMap((path) => {
    const names = importsIn(textOf(path)).map(packageOf);
    return names
      .filter((name) => name !== undefined)
      .filter((name) => !mayImport(path, name))
      .map((name) => `${path} imports ${name}`);
  });
  expect(trespasses).toEqual([]);
});

test("each dependency is pinned to one version", () => {
  const { dependencies, devDependencies } = Manifest.parse(JSON.parse(textOf("package.json")));
  const loose = Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))
    .map(([name, version]) => `${name}@${version}`);
  expect(loose).toEqual([]);
});

test("the lock file names no host, so that any registry works", () => {
  const hosts = textOf("package-lock.json").match(/"resolved":\s*"[^"]*"/g) ?? [];
  expect(hosts).toEqual([]);
});

test("the lock file has the native packages of every platform, so that npm ci works on each", () => {
  const { packages } = Lock.parse(JSON.parse(textOf("package-lock.json")));
  const paths = Object.keys(packages);
  const missing = Object.values(packages)
    .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
    .filter((name) => !paths.some((path) => path.endsWith(`node_modules/${name}`)));
  expect(missing).toEqual([]);
});

test("no file of the repository names a folder of its author's machine", () => {
  const named = repositoryFiles()
    .filter((path) => !/\.(?:png|ico|gif|gz|tgz)$/.test(path))
    .flatMap((path) => {
      const text = textOf(path);
      return [...homePathsIn(text), ...pathsBelow(repositoryRoot, text)].map(
        (found) => `${path}: ${found}`,
      );
    });
  expect(named).toEqual([]);
});
