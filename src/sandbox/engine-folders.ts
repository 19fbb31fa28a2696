import { join } from "node:path";
import type { EngineNeeds, KnownEngines } from "../base/engine-needs.ts";
import { HOME_PROTECTED, PRIVATE_CACHES } from "./protected-places.ts";

type Environment = Readonly<Record<string, string>>;

/** Absolute paths of an engine's own folders and files; those of a program that is not known: none. */
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

/** Absolute paths of the folders of all engines: each may write its own. */
export function foldersOfAll(
  engines: KnownEngines,
  at: { readonly home: string; readonly env: Environment },
): readonly string[] {
  return [...engines.keys()].flatMap((engine) => foldersOf(engines, engine, at).folders);
}

/** Of a home: what is protected, and what engines keep there, which holds logins. */
export function protectedInHome(engines: KnownEngines): readonly string[] {
  const ofEngines = ofAll(engines, ({ folders, files, secrets }) => [
    ...[...folders, ...files, ...secrets],
  ]);
  return [...HOME_PROTECTED, ...ofEngines];
}

/** Of a home: what is protected from every engine, also from the one that keeps something there. */
export function secretsInHome(engines: KnownEngines): readonly string[] {
  return [...HOME_PROTECTED, ...ofAll(engines, ({ secrets }) => secrets)];
}

/** Of a home: caches that each repository's sandboxes have of their own. */
export function privateCaches(engines: KnownEngines): readonly string[] {
  return [...PRIVATE_CACHES, ...ofAll(engines, ({ caches }) => caches)];
}

/** What all engines need of one kind. */
export function ofAll(
  engines: KnownEngines,
  of: (needs: EngineNeeds) => readonly string[],
): readonly string[] {
  return [...engines.values()].flatMap(of);
}
