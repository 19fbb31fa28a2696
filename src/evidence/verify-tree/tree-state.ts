import { z } from "zod";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { TREE_STATE_BYTES_MAX } from "../../base/limits.ts";
import type { TreePlace } from "./tree-place.ts";

/**
 * The recorded state of a tree that is ready. It is written when the tree is complete, and removed before the
 * tree changes, so a tree whose preparation was interrupted has none, and is created again.
 */
export const TreeState = z.strictObject({
  version: z.literal(1),
  /** Key of the setup that ran. */
  key: z.string().min(1),
  /** Topmost paths that setup made, relative to the tree; directories end in a slash. */
  made: z.array(z.string().min(1)),
  /** Names of the package caches that setup filled, and from which programs load code. */
  filled: z.array(z.string().min(1)),
  /** Digest of these paths and caches after setup, as far as a run could change them. */
  fingerprint: z.string().min(1),
  /** Digest of git's own files in the tree, before the last run. */
  git: z.string().min(1),
});
export type TreeState = z.infer<typeof TreeState>;

/** Undefined if there is no state, or it cannot be read. */
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
