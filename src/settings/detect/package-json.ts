import { posix } from "node:path";
import { z } from "zod";
import type { RootFiles } from "./root-files.ts";

/** The package managers of Node projects. */
export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

/** The fields of a `package.json` that wisp needs; others are ignored. */
const PackageJson = z.object({
  packageManager: z.string().optional().catch(undefined),
  scripts: z.record(z.string(), z.unknown()).optional().catch(undefined),
  main: z.string().optional().catch(undefined),
  module: z.string().optional().catch(undefined),
  types: z.string().optional().catch(undefined),
  bin: z.unknown().optional(),
  exports: z.unknown().optional(),
  name: z.string().optional().catch(undefined),
  dependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
  devDependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
type PackageJson = z.infer<typeof PackageJson>;

/** Lock files in order of precedence; a stray `package-lock.json` is the most common. */
export const NODE_LOCK_FILES: readonly (readonly [string, PackageManager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["npm-shrinkwrap.json", "npm"],
  ["package-lock.json", "npm"],
];

/** The project's `package.json`, or undefined if there is none that can be read. */
export function readPackageJson(root: RootFiles): PackageJson | undefined {
  const text = root.read("package.json");
  if (text === undefined) return undefined;
  try {
    return PackageJson.safeParse(JSON.parse(text.replace(/^\ufeff/, ""))).data;
  } catch {
    return undefined;
  }
}

/** The manager that the project names, or else the one whose lock file it has, or else npm. */
export function packageManagerOf(root: RootFiles): PackageManager {
  const named = readPackageJson(root)?.packageManager?.replace(/@.*$/s, "");
  const locked = NODE_LOCK_FILES.find(([file]) => root.names.has(file))?.[1];
  return MANAGERS.find((manager) => manager === named) ?? locked ?? "npm";
}

const MANAGERS: readonly PackageManager[] = ["npm", "pnpm", "yarn", "bun"];

/** Names of the packages that have to be installed before the project's own scripts run. */
export function dependenciesOf(root: RootFiles): readonly string[] {
  const { dependencies = {}, devDependencies = {} } = readPackageJson(root) ?? {};
  return [...new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)])];
}

/** Files that other packages load or run, according to the manifest: relative paths. */
export function entryFiles(root: RootFiles): readonly string[] {
  const { main, module, types, bin, exports } = readPackageJson(root) ?? {};
  return [main, module, types, ...stringsIn(bin), ...stringsIn(exports)]
    .filter((path): path is string => path !== undefined && path !== "")
    .map((path) => posix.normalize(path));
}

/** `exports` nests conditions and paths; no real manifest is deeper than this. */
const EXPORTS_DEPTH_MAX = 8;

function stringsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > EXPORTS_DEPTH_MAX) return [];
  return Object.values(value).flatMap((each) => stringsIn(each, depth + 1));
}

/** A script by its name, or undefined. */
export function scriptOf(root: RootFiles, name: string): string | undefined {
  const script = readPackageJson(root)?.scripts?.[name];
  return typeof script === "string" && script.trim() !== "" ? script : undefined;
}

/** The `test` script; undefined if there is none, or only the placeholder of `npm init`. */
export function testScript(root: RootFiles): string | undefined {
  const script = scriptOf(root, "test");
  return script?.includes("no test specified") === true ? undefined : script;
}
