import { basename, dirname, join, resolve } from "node:path";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { DirectoryEntry } from "../../base/ports/directories.ts";
import { replaced, type MachineFiles, type Replacement } from "./in-checkout.ts";

/**
 * The folders that Python must search first, so that what is installed from the checkout itself ("editable") is
 * loaded from the folder that takes its place. Looks at the environments of Python that the variables name, without
 * running any.
 */
export function editableFolders(
  world: MachineFiles,
  env: Readonly<Record<string, string>>,
  by: Replacement,
): readonly string[] {
  const packages = prefixesOf(world, env).flatMap((prefix) => packagesIn(world, prefix));
  const named = packages.flatMap((folder) => foldersFrom(world, folder, by));
  return [...new Set(named)];
}

const PYTHONS = ["python3", "python"];

/** Where the environments in use are: an active one, and those of each Python on PATH. */
function prefixesOf(
  { directories }: MachineFiles,
  env: Readonly<Record<string, string>>,
): readonly string[] {
  const active = [env["VIRTUAL_ENV"], env["CONDA_PREFIX"]].flatMap((path) => path ?? []);
  const found = (env["PATH"] ?? "").split(":").flatMap((folder) => {
    const path = PYTHONS.map((name) => join(folder, name)).find(
      (one) => folder.startsWith("/") && directories.kindOf(one) !== undefined,
    );
    if (path === undefined) return [];
    if (basename(folder) === "shims") return versionsBeside({ directories }, dirname(folder));
    // An environment links to the Python that it was made with, whose packages it may see, too.
    const real = directories.realPath(path);
    return [dirname(folder), ...(real === undefined ? [] : [dirname(dirname(real))])];
  });
  return [...new Set([...active, ...found])].filter((path) => path.startsWith("/"));
}

/** The versions among which a program of pyenv, asdf or mise chooses. */
function versionsBeside(world: Pick<MachineFiles, "directories">, root: string): readonly string[] {
  return ["versions", "installs/python"].flatMap((folder) =>
    entriesIn(world, join(root, folder)).map(({ name }) => join(root, folder, name)),
  );
}

/** The folders with installed packages of an environment. */
function packagesIn(world: MachineFiles, prefix: string): readonly string[] {
  return ["lib", "lib64", "local/lib"].flatMap((lib) =>
    entriesIn(world, join(prefix, lib))
      .filter(({ name }) => /^(?:python|pypy)3/u.test(name))
      .flatMap(({ name }) => [
        join(prefix, lib, name, "site-packages"),
        join(prefix, lib, name, "dist-packages"),
      ]),
  );
}

/** The folders in which the packages that are installed from the checkout are found. */
function foldersFrom(world: MachineFiles, packages: string, by: Replacement): readonly string[] {
  const entries = entriesIn(world, packages);
  const named = entries.flatMap(({ name, kind }) => {
    const path = join(packages, name);
    if (/\.(?:pth|egg-link)$/u.test(name)) {
      const { lines, quoted } = pathsOf(textOf(world, path), packages);
      return [...lines, ...quoted].flatMap((one) => movedTo(one, by));
    }
    // The finders that setuptools and others write.
    if (/editable.*\.py$/u.test(name)) {
      const { quoted } = pathsOf(textOf(world, path), packages);
      return quoted.flatMap((one) => aboveModule(one, by));
    }
    const real = kind === "other" ? world.directories.realPath(path) : undefined;
    return real !== undefined && basename(real) === name ? aboveModule(real, by) : [];
  });
  if (named.length > 0) return named;
  const projects = entries
    .filter(({ name }) => name.endsWith(".dist-info"))
    .flatMap(({ name }) => editableProject(textOf(world, join(packages, name, "direct_url.json"))));
  return projects.flatMap((path) => [...movedTo(join(path, "src"), by), ...movedTo(path, by)]);
}

/** The paths of a file: those that are a whole line, and absolute ones in quotes. */
function pathsOf(text: string, folder: string) {
  const lines = text.split("\n").map((line) => line.trim());
  const named = lines.filter((line) => line !== "" && !/^(?:#|import\s)/u.test(line));
  const quoted = [...text.matchAll(/(['"])(\/[^'"\n]*)\1/gu)].map(([, , path = ""]) => path);
  return { lines: named.map((line) => resolve(folder, line)), quoted };
}

/** The folder that Python must search to find a package or a module of it. */
function aboveModule(path: string, by: Replacement): readonly string[] {
  let [folder] = movedTo(dirname(path), by);
  while (folder !== undefined && by.isThere(join(folder, "__init__.py"))) folder = dirname(folder);
  return folder === undefined ? [] : [folder];
}

function movedTo(path: string, by: Replacement): readonly string[] {
  const found = replaced(path, by);
  return found.kind === "moved" ? [found.path] : [];
}

/** The project's folder, if a record of pip's says that it is installed from there as it is. */
function editableProject(text: string): readonly string[] {
  const isEditable = /"editable"\s*:\s*true/u.test(text);
  const [, url = ""] = /"url"\s*:\s*"file:\/\/(\/[^"]*)"/u.exec(text) ?? [];
  return isEditable && url !== "" ? [url] : [];
}

function entriesIn(
  { directories }: Pick<MachineFiles, "directories">,
  folder: string,
): readonly DirectoryEntry[] {
  const entries = directories.entries(folder);
  return entries.ok ? entries.value : [];
}

function textOf({ files }: Pick<MachineFiles, "files">, path: string): string {
  const read = files.read(path, DOCUMENT_BYTES_MAX * 16);
  return read.ok && read.value !== undefined ? Buffer.from(read.value).toString("utf8") : "";
}
