import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { EXIT } from "../base/exit-code.ts";
import { refusal } from "../base/failure.ts";
import { CannotGoOn, need } from "../base/fatal.ts";
import { FileFailure } from "../base/ports/files.ts";
import { isProgramFile, NO_DIGEST, programDigest } from "../base/program-digest.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { shown } from "../base/words/shown.ts";
import { copyTree } from "../host/files/copy-tree.ts";
import { bootedMs } from "../host/system/this-machine.ts";
import { programsDirectory } from "./state-directory.ts";
import type { World } from "./world.ts";

/** What of this package a program needs elsewhere: it holds all its dependencies. */
export const PACKED = ["dist", "templates"] as const;

/** The files of the program that runs are not those that it was built with. */
export const ProgramReplaced = refusal(
  "program-replaced",
  EXIT.failure,
  ({ directory }: { readonly directory: string }) => [
    `wisp is being replaced: the files in ${shown(directory)} are not those of the wisp that runs.`,
    "Nothing was started. Once the installation is complete, run the same command again.",
  ],
);

type Copying = Pick<World, "host" | "env" | "entry" | "program">;

/**
 * The command line of another wisp that lives long: it runs from a copy of this program that no installation replaces.
 * Throws `CannotGoOn` if there is no copy yet, and the files of this program are not whole any more.
 */
export function lastingArgv(
  world: Copying & Pick<World, "nodePath">,
  ...words: readonly string[]
): [string, ...string[]] {
  return [world.nodePath, join(lastingPackage(world), "dist", "wisp.js"), ...words];
}

/**
 * The package that the copy of this program is, made if there is none. It is named after the program's digest, and is not
 * durable: after each start of the machine it is compared with that.
 */
export function lastingPackage(world: Copying): string {
  const { host, env, entry, program } = world;
  const own = dirname(dirname(entry));
  // As in a test that runs the source.
  if (program.code === NO_DIGEST) return own;
  const copy = join(programsDirectory(env), program.code);
  // This is the copy, or what wisp put at the place of a session under the same name.
  if (basename(own) === program.code) return own;
  const changedMs = host.files.stat(join(copy, "dist", "wisp.js"))?.changedMs ?? -Infinity;
  if (changedMs >= bootedMs()) return copy;
  if (changedMs > -Infinity && isWhole(host, copy, program.code)) {
    need(host.directories.setModified(join(copy, "dist", "wisp.js"), host.clock.nowMs()));
    return copy;
  }
  return makeCopy(world, { own, copy });
}

/** Copied first and compared then: what was compared is what runs. */
function makeCopy(
  { host, program }: Copying,
  { own, copy }: { readonly own: string; readonly copy: string },
): string {
  const { files, directories } = host;
  const making = join(dirname(copy), `.${program.code}.${randomBytes(6).toString("hex")}`);
  need(files.makeDirectory(making));
  try {
    const copied = PACKED.map((name) => copyTree(join(own, name), join(making, name)));
    const errno = copied.flatMap((one) => (one.ok ? [] : [one.failure]))[0];
    if (errno !== undefined && errno !== "ENOENT") {
      need(fail(FileFailure({ operation: "create", path: making, errno })));
    }
    if (errno !== undefined || !isWhole(host, making, program.code)) {
      throw new CannotGoOn(ProgramReplaced({ directory: own }));
    }
    // One that another process made meanwhile stays.
    const isThere = () => directories.kindOf(copy) !== undefined;
    if (isThere() && isWhole(host, copy, program.code)) return copy;
    if (isThere()) need(directories.removeTree(copy));
    const placed = directories.move(making, copy);
    if (!isThere()) need(placed);
    return copy;
  } finally {
    directories.removeTree(making);
  }
}

type Disk = Pick<World["host"], "files" | "directories">;

/** Whether the files of a package have this digest. */
function isWhole(host: Disk, root: string, code: string): boolean {
  const listed = PACKED.map((name) => filesAt(host, root, name));
  const paths = listed.flatMap((one) => (one.ok ? one.value : [])).filter(isProgramFile);
  const files = paths.map((path) => ({ path, read: host.files.read(join(root, path)) }));
  const known = files.flatMap(({ path, read }) =>
    read.ok && read.value !== undefined ? [{ path, bytes: read.value }] : [],
  );
  return programDigest(known, code) === code;
}

/** The paths of all files at a path in a folder, relative to the folder, sorted. */
function filesAt(host: Disk, root: string, path: string): Result<readonly string[], FileFailure> {
  if (host.directories.kindOf(join(root, path)) !== "directory") return ok([path]);
  const names = host.files.list(join(root, path));
  if (!names.ok) return names;
  const found: string[] = [];
  for (const name of names.value) {
    const inside = filesAt(host, root, join(path, name));
    if (!inside.ok) return inside;
    found.push(...inside.value);
  }
  return ok(found);
}
