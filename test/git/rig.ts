import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { present } from "../../src/base/assert.ts";
import type { Clone } from "../../src/base/ports/repo.ts";
import type { Result } from "../../src/base/result.ts";
import { createClone } from "../../src/git/clone/create-clone.ts";
import type { GitContext } from "../../src/git/command/git-environment.ts";
import { openHub, type HubRepo } from "../../src/git/repository/hub.ts";
import { createNodeDirectories } from "../../src/host/files/node-directories.ts";
import { createNodeFiles } from "../../src/host/files/node-files.ts";
import { systemClock } from "../../src/host/system/system-clock.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

export const IDENTITY = { name: "Ada Lovelace", email: "ada@example.org" };
export const BRANCH = "wisp/first";
/** 2026-11-20T12:00:00.000Z */
const NOW_MS = 1_795_176_000_000;

/** Short, but the time of files goes on. */
const SLEEP_MS_MAX = 10;

/** A hub with one commit, an own HOME for git, and as many clones as a test creates. */
export interface Rig extends Disposable {
  readonly root: string;
  readonly hub: HubRepo;
  readonly context: GitContext;
  /** Runs git as a person would, by default in the hub. */
  git(args: readonly string[], directory?: string): string;
  clone(name: string, branch?: string): Promise<Clone>;
}

/** Creates the rig; `using` removes it. */
export function createRig(branch = BRANCH): Rig {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "wisp-git-")));
  const environment = ownEnvironment({ HOME: join(root, "home") });
  const context: GitContext = {
    files: createNodeFiles(),
    directories: createNodeDirectories(),
    clock: {
      nowMs: () => NOW_MS,
      sleep: (durationMs) => systemClock.sleep(Math.min(durationMs, SLEEP_MS_MAX)),
    },
    environment,
  };
  const directory = join(root, "hub");
  const git = (args: readonly string[], at = directory) =>
    execFileSync("git", args, { cwd: at, env: environment, encoding: "utf8", stdio: PIPES });
  write(
    join(root, "home", ".gitconfig"),
    "[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n",
  );
  git(["init", "--quiet", "-b", "main", directory], root);
  write(join(directory, "readme.md"), "one\n");
  write(join(directory, ".gitignore"), "node_modules/\n");
  git(["add", "--all"]);
  git(["commit", "--quiet", "-m", "first"]);
  git(["branch", branch]);
  const hub = openHub(context, directory);
  const clone = async (name: string, of = branch) => {
    const place = { hub, branch: of, directory: join(root, "state", name), session: "first" };
    return value(await createClone(context, { ...place, identity: IDENTITY }));
  };
  return {
    root,
    hub,
    context,
    git,
    clone,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Writes a file, and creates its directory. */
export function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

export function read(path: string, encoding: BufferEncoding = "utf8"): string {
  return readFileSync(path, encoding);
}

/** The value of a result that must be a success. */
export function value<T>(result: Result<T, unknown>): T {
  if (result.ok) return result.value;
  throw new Error(`refused: ${JSON.stringify(result.failure)}`);
}

/** Writes one file in a clone and commits it. */
export async function commit(clone: Clone, name: string, content = `${name}\n`): Promise<string> {
  write(join(clone.directory, name), content);
  return present(value(await clone.commitAll(`add ${name}`)), "a commit");
}

/** The names of the references of a repository that start with `prefix`. */
export function refs(rig: Rig, prefix: string, directory = rig.hub.directory): readonly string[] {
  const printed = rig.git(["for-each-ref", "--format=%(refname)", prefix], directory);
  return printed.split("\n").filter((line) => line !== "");
}

const PIPES: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
