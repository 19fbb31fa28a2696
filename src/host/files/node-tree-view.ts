import {
  type Dirent,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import type { TreeEntryKind, TreeView } from "../../base/ports/tree-view.ts";
import { attempt } from "../system/errno.ts";

/** A read-only view of this machine's file system. */
export function createNodeTreeView(): TreeView {
  return {
    kindOf: (path) => {
      // Mostly asked about absent paths, and creating an error for each would be the main cost.
      const found = attempt(() => lstatSync(path, { throwIfNoEntry: false }));
      return found.ok && found.value !== undefined ? kindOf(found.value) : undefined;
    },
    realPath: (path) => {
      const found = attempt(() => realpathSync.native(path));
      return found.ok ? found.value : undefined;
    },
    linkTarget: (path) => {
      const found = attempt(() => readlinkSync(path));
      return found.ok ? found.value : undefined;
    },
    entries: (directory) => {
      const found = attempt(() => readdirSync(directory, { withFileTypes: true }));
      if (!found.ok) return [];
      return found.value.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    },
  };
}

function kindOf(found: Stats | Dirent): TreeEntryKind {
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "directory";
  return found.isSymbolicLink() ? "link" : "other";
}
