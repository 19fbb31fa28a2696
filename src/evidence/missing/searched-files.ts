import type { ProjectFacts } from "../../base/ports/project-facts.ts";
import type { RootFiles } from "../../settings/detect/root-files.ts";

/** Files that say what a project needs. */
const STEERING =
  /(?:^|\/)(?:package\.json|tsconfig[\w.-]*\.json|(?:GNUm|[Mm])akefile|[Jj]ustfile|pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|pytest\.ini|requirements[\w-]*\.txt|Pipfile|deno\.jsonc?)$|^\.gitmodules$/;

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|php|go|rs|java|kt|sh|bash)$/;

/** What the tests of a project do not load. */
const ASIDE =
  /(?:^|\/)(?:node_modules|vendor|third_party|docs?|examples?|samples?|demos?|bench(?:marks?)?|\.[^/]+)\/|\.min\.[cm]?js$/;

/** Whether a file is read to find what is missing at a commit. */
export function isSearched(path: string): boolean {
  if (ASIDE.test(path)) return false;
  return CODE.test(path) || STEERING.test(path);
}

/** Whether a file is code, and not a manifest. */
export function isCode(path: string): boolean {
  return CODE.test(path) && !STEERING.test(path);
}

/** A folder of the commit as detection reads it; empty for the root. */
export function folderFiles({ files, texts }: ProjectFacts, folder: string): RootFiles {
  const prefix = folder === "" ? "" : `${folder}/`;
  const below = files.filter(({ path }) => path.startsWith(prefix));
  const names = new Set(below.map(({ path }) => path.slice(prefix.length).split("/")[0] ?? ""));
  return { names, read: (name) => texts.get(`${prefix}${name}`) };
}
