import { join } from "node:path";
import { cacheName } from "../../sandbox/plan-mounts.ts";
import { LOADED_CACHES } from "../../sandbox/protected-places.ts";

/**
 * Environment variables that name the tools' package caches, used where no sandbox mounts others in their
 * place: the variable, the name of the cache, and the rest of the path.
 */
const VARIABLES: readonly (readonly [variable: string, name: string, rest?: string])[] = [
  ["npm_config_cache", "npm"],
  ["npm_config_store_dir", "local-share-pnpm-store"],
  ["npm_config_devdir", "cache-node-gyp"],
  ["YARN_CACHE_FOLDER", "cache-yarn"],
  ["YARN_GLOBAL_FOLDER", "yarn-berry"],
  ["BUN_INSTALL_CACHE_DIR", "bun-install-cache"],
  ["COREPACK_HOME", "cache-node", "corepack"],
  ["DENO_DIR", "cache-deno"],
  ["TURBO_CACHE_DIR", "cache-turbo"],
  ["PIP_CACHE_DIR", "cache-pip"],
  ["UV_CACHE_DIR", "cache-uv"],
  ["POETRY_CACHE_DIR", "cache-pypoetry"],
  ["GOCACHE", "cache-go-build"],
  ["GOMODCACHE", "go-pkg", "mod"],
  ["CARGO_HOME", "cargo"],
  ["GRADLE_USER_HOME", "gradle"],
  ["NUGET_PACKAGES", "nuget-packages"],
  ["COMPOSER_CACHE_DIR", "cache-composer"],
];

/** Names of the caches from which programs load code. Runs get those that setup filled, read-only. */
export const LOADED_NAMES: readonly string[] = [...LOADED_CACHES.map(cacheName), "cargo"];

/** The variables, each with the folder of its cache. */
export function cacheVariables(
  folderOf: (name: string) => string,
): Readonly<Record<string, string>> {
  const named = VARIABLES.map(
    ([variable, name, rest = ""]) => [variable, join(folderOf(name), name, rest)] as const,
  );
  const repository = join(folderOf("m2-repository"), "m2-repository");
  // Maven accepts its cache only as an argument.
  return { ...Object.fromEntries(named), MAVEN_ARGS: `-Dmaven.repo.local=${repository}` };
}
