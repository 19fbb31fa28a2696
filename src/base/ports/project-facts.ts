import type { Oid } from "../oid.ts";
import type { FilterDrivers } from "./filters.ts";

/** What is known of a project at a commit, and of the files beside it that only the person's work tree has. */
export interface ProjectFacts {
  /** All files of the commit, submodules included. */
  readonly files: readonly {
    readonly path: string;
    readonly oid: Oid;
    /** As git lists it, such as `100644`; a submodule's is `160000`. */
    readonly mode: string;
  }[];
  /** Texts of files of the commit that were asked for, by their paths. */
  readonly texts: ReadonlyMap<string, string>;
  /** Paths in the work tree that git ignores. Folders whose content is of no interest have a slash at their end. */
  readonly ignored: ReadonlySet<string>;
  /** Files of the commit that are pointers of Git LFS in copies of it, too: their content is not in the repository. */
  readonly pointers: readonly string[];
  /** The same, because their content would be more than copies get. */
  readonly pointersOver: readonly string[];
  /**
   * Submodules that stay empty in copies of the commit, nested ones too, because the person's repository lacks their
   * files or there is too much of them. Absent: nobody looked, and all may be empty.
   */
  readonly unfilled?: readonly string[] | undefined;
  /** The filters that git runs in the person's checkout. */
  readonly filters: FilterDrivers;
  /** Those of them that attribute files of the commit name, and the paths on which each runs in the checkout. */
  readonly filtered: ReadonlyMap<string, readonly string[]>;
  /** What was left out because there is too much of it, in words, such as `the files after the first 2,000`. */
  readonly unread: readonly string[];
}

/** Nothing is known, as where there is no work tree. */
export const NO_PROJECT_FACTS: ProjectFacts = {
  files: [],
  texts: new Map(),
  ignored: new Set(),
  pointers: [],
  pointersOver: [],
  filters: { defined: [], ofPerson: [], ofMachine: [] },
  filtered: new Map(),
  unread: [],
};
