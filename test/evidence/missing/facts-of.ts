import { NO_PROJECT_FACTS, type ProjectFacts } from "../../../src/base/ports/project-facts.ts";
import type { CommandsAtBase } from "../../../src/evidence/missing/missing.ts";
import { folderFiles, isSearched } from "../../../src/evidence/missing/searched-files.ts";
import { detectBuild } from "../../../src/settings/detect/detect-build.ts";
import { detectSetup } from "../../../src/settings/detect/detect-setup.ts";
import { detectVerify } from "../../../src/settings/detect/detect-verify.ts";

/** A project: the texts of its files, and what git ignores in the work tree. */
export interface MadeUpProject extends Partial<
  Pick<ProjectFacts, "pointers" | "pointersOver" | "unread" | "filters" | "filtered" | "unfilled">
> {
  readonly files: Readonly<Record<string, string>>;
  readonly ignored?: readonly string[];
  /** Paths of submodules. */
  readonly links?: readonly string[];
}

const OID = "1".repeat(40);

export function factsOf({
  files,
  ignored = [],
  links = [],
  pointers = [],
  pointersOver = [],
  unread = [],
  filters = NO_PROJECT_FACTS.filters,
  filtered = NO_PROJECT_FACTS.filtered,
  unfilled,
}: MadeUpProject): ProjectFacts {
  return {
    files: [
      ...Object.keys(files).map((path) => ({ path, oid: OID, mode: "100644" })),
      ...links.map((path) => ({ path, oid: OID, mode: "160000" })),
    ],
    texts: new Map(Object.entries(files).filter(([path]) => isSearched(path))),
    ignored: new Set(ignored),
    pointers,
    pointersOver,
    unread,
    filters,
    filtered,
    unfilled,
  };
}

/** The commands that a session of this project would have, with those of its settings. */
export function commandsOf(
  facts: ProjectFacts,
  settings: Partial<CommandsAtBase> = {},
): CommandsAtBase {
  const root = folderFiles(facts, "");
  const setup = detectSetup(root);
  return {
    setup: setup?.commands ?? [],
    build: detectBuild(root)?.commands ?? [],
    verify: detectVerify(root, setup)?.commands ?? [],
    ...settings,
  };
}
