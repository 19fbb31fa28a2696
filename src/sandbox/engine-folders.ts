import { join } from "node:path";
import type { EngineNeeds, KnownEngines } from "../base/engine-needs.ts";
import { HOME_PROTECTED, PRIVATE_CACHES } from "./protected-places.ts";

type Environment = Readonly<Record<string, string>>;

/** The absolute paths of an engine's own folders and files; empty for an unknown program. */
export function foldersOf(
  engines: KnownEngines,
  engine: string | undefined,
  { home, env }: { readonly home: string; readonly env: Environment },
): { readonly folders: readonly string[]; readonly files: readonly string[] } {
  const known = engine === undefined ? undefined : engines.get(engine);
  if (known === undefined) return { folders: [], files: [] };
  const named = known.folderVariables.flatMap((name) => {
    const value = env[name];
    return value?.startsWith("/") === true ? [value] : [];
  });
  return {
    folders: [...known.folders.map((path) => join(home, path)), ...named],
    files: known.files.map((path) => join(home, path)),
  };
}

/** The absolute paths of all engines' folders, each of which its engine may write. */
export function foldersOfAll(
  engines: KnownEngines,
  at: { readonly home: string; readonly env: Environment },
): readonly string[] {
  return [...engines.keys()].flatMap((engine) => foldersOf(engines, engine, at).folders);
}

/** Paths in a home that are protected, including what engines keep there, because it contains logins. */
export function protectedInHome(engines: KnownEngines): readonly string[] {
  const ofEngines = ofAll(engines, ({ folders, files, secrets }) => [
    ...[...folders, ...files, ...secrets],
  ]);
  return [...HOME_PROTECTED, ...ofEngines];
}

/** Paths in a home that are protected from every engine, even from one that uses them. */
export function secretsInHome(engines: KnownEngines): readonly string[] {
  return [...HOME_PROTECTED, ...ofAll(engines, ({ secrets }) => secrets)];
}

/** Caches in a home for which each repository's sandboxes have their own. */
export function privateCaches(engines: KnownEngines): readonly string[] {
  return [...PRIVATE_CACHES, ...ofAll(engines, ({ caches }) => caches)];
}

/** What all engines need, for one kind of need. */
export function ofAll(
  engines: KnownEngines,
  of: (needs: EngineNeeds) => readonly string[],
): readonly string[] {
  return [...engines.values()].flatMap(of);
}
