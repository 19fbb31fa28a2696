import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Oid } from "../../src/base/oid.ts";
import type { Clone } from "../../src/base/ports/repo.ts";
import { commit, put } from "../rig/in-process-session.ts";

/** Files by path; undefined removes one. */
export type Change = Readonly<Record<string, string | undefined>>;

/** Commits a change in a clone and publishes it, as the clone's role. */
export async function publishChange(clone: Clone, files: Change, message: string): Promise<Oid> {
  for (const [path, text] of Object.entries(files)) {
    if (text === undefined) rmSync(join(clone.directory, path));
    else put(clone.directory, path, text);
  }
  commit(clone.directory, message);
  const head = await clone.head();
  if (!head.ok) throw new Error("there is no HEAD");
  await clone.publish(head.value);
  return head.value;
}
