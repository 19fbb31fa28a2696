import { z } from "zod";
import type { RootFiles } from "./root-files.ts";

/** The package managers of Node projects. */
export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

/** The little that wisp needs of a `package.json`; everything else in it is let through. */
const PackageJson = z.object({
  packageManager: z.string().optional().catch(undefined),
  scripts: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
type PackageJson = z.infer<typeof PackageJson>;

/** Lock files in the order in which they decide; a stray `package-lock.json` is the commonest. */
export const NODE_LOCK_FILES: readonly (readonly [string, PackageManager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["npm-shrinkwrap.json", "npm"],
  ["package-lock.json", "npm"],
];

/** The project's `package.json`, or undefined when there is none that can be read. */
export function readPackageJson(root: RootFiles): PackageJson | undefined {
  const text = root.read("package.json");
  if (text === undefined) return undefined;
  try {
    return PackageJson.safeParse(JSON.parse(text.replace(/^\ufeff/, ""))).data;
  } catch {
    return undefined;
  }
}

/** The manager that the project names, else the one whose lock file it has, else npm. */
export function packageManagerOf(root: RootFiles): PackageManager {
  const named = readPackageJson(root)?.packageManager?.replace(/@.*$/s, "");
  const locked = NODE_LOCK_FILES.find(([file]) => root.names.has(file))?.[1];
  return MANAGERS.find((manager) => manager === named) ?? locked ?? "npm";
}

const MANAGERS: readonly PackageManager[] = ["npm", "pnpm", "yarn", "bun"];

/** The `test` script; undefined when there is none, or only the one that `npm init` leaves. */
export function testScript(root: RootFiles): string | undefined {
  const script = readPackageJson(root)?.scripts?.["test"];
  if (typeof script !== "string" || script.trim() === "") return undefined;
  return script.includes("no test specified") ? undefined : script;
}
