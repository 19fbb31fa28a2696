import { z } from "zod";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { TREE_STATE_BYTES_MAX } from "../../base/limits.ts";
import type { TreePlace } from "./tree-place.ts";

/**
 * What is known of a tree that is ready: written when everything in it is as it should be, and gone while it is
 * not. So a tree whose making was interrupted has none, and is made anew.
 */
export const TreeState = z.strictObject({
  version: z.literal(1),
  /** Of the setup that was run; its key. */
  key: z.string().min(1),
  /** Topmost paths that it made, relative to the tree; those of directories end in a slash. */
  made: z.array(z.string().min(1)),
  /** Names of the caches of packages that it filled, and from which programs load code. */
  filled: z.array(z.string().min(1)),
  /** What they looked like then, as far as a run could have changed them. */
  fingerprint: z.string().min(1),
  /** And git's own files, before the last run. */
  git: z.string().min(1),
});
export type TreeState = z.infer<typeof TreeState>;

/** Undefined: nothing is known of the tree, or it cannot be read. */
export function readTreeState(
  files: Pick<Files, "read">,
  { state }: TreePlace,
): TreeState | undefined {
  const read = files.read(state, TREE_STATE_BYTES_MAX);
  if (!read.ok || read.value === undefined) return undefined;
  try {
    return TreeState.safeParse(JSON.parse(new TextDecoder().decode(read.value))).data;
  } catch {
    return undefined;
  }
}

export function writeTreeState(
  files: Pick<Files, "replace">,
  { state }: TreePlace,
  known: TreeState,
): void {
  need(files.replace(state, Buffer.from(`${JSON.stringify(known)}\n`)));
}
