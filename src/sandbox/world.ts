import type { Directories } from "../base/ports/directories.ts";
import type { KnownEngines } from "../base/engine-needs.ts";
import type { Files } from "../base/ports/files.ts";
import { DOCUMENT_BYTES_MAX } from "../base/limits.ts";
import type { TreeView } from "../base/ports/tree-view.ts";

/** The ports and facts from which a sandbox is made. */
export interface SandboxWorld {
  readonly tree: TreeView;
  readonly files: Files;
  readonly directories: Directories;
  /** The needs of all known engines. */
  readonly engines: KnownEngines;
  /** The blobs among `ids` that the user's repository has. */
  readonly blobsIn: (repository: string, ids: readonly string[]) => ReadonlySet<string>;
}

/** The bytes of a file; `undefined` if it is absent or cannot be read. */
export function bytesOf({ files }: Pick<SandboxWorld, "files">, path: string): Buffer | undefined {
  const read = files.read(path, DOCUMENT_BYTES_MAX * 16);
  return read.ok && read.value !== undefined ? Buffer.from(read.value) : undefined;
}

/** The text of a file; `undefined` if it is absent or cannot be read. */
export function textOf(world: Pick<SandboxWorld, "files">, path: string): string | undefined {
  return bytesOf(world, path)?.toString("utf8");
}
