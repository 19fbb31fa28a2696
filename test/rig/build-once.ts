import { execFile } from "node:child_process";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { lock } from "proper-lockfile";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The sources of the bundle. */
const INPUTS = ["src", "package.json", "package-lock.json", "tsconfig.json", "tsdown.config.ts"];

/**
 * Builds `dist` if any of its sources is newer, so that a process test never runs an old binary. This is done
 * under a lock: two runs of the tests in one checkout build one after the other.
 */
export async function setup(): Promise<void> {
  await mkdir(join(root, ".cache"), { recursive: true });
  const unlock = await lock(root, {
    lockfilePath: join(root, ".cache", "build.lock"),
    retries: { retries: 120, factor: 1, minTimeout: 500 },
  });
  try {
    if (await isStale()) await promisify(execFile)("npm", ["run", "build"], { cwd: root });
  } finally {
    await unlock();
  }
}

async function isStale(): Promise<boolean> {
  const builtMs = await newestMs(join(root, "dist", "wisp.js"));
  const changedMs = await Promise.all(INPUTS.map((name) => newestMs(join(root, name))));
  return builtMs <= Math.max(...changedMs);
}

/** Time of the last change of a file or of anything in a folder; 0 when it is absent. */
async function newestMs(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const names = await readdir(path);
  const below = await Promise.all(names.map((name) => newestMs(join(path, name))));
  // The folder's own time shows that something in it was removed.
  return Math.max(found.mtimeMs, ...below);
}
