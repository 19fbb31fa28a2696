import { lateObject } from "../../base/late-object.ts";
import { Oid } from "../../base/oid.ts";
import type { Files } from "../../base/ports/files.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { sessionCopyPath } from "./copy-path.ts";
import type { SessionJson } from "./session-json.ts";

const SESSION_BYTES_MAX = 1024 * 1024;

const FirstSession = lateObject(() => ({ base: Oid }));

/**
 * The commit that the person had before any session of this work: a revision's own base has what the sessions before it
 * made. Revisions that began before it was recorded have it from the copy of their parent's `session.json`.
 */
export function rootBase(
  files: Pick<Files, "read">,
  { base, parent }: Pick<SessionJson, "base" | "parent">,
): Oid {
  if (parent === undefined) return base;
  if (parent.base !== undefined) return parent.base;
  const path = sessionCopyPath({ state: parent.state });
  const read = files.read(path, SESSION_BYTES_MAX);
  const text = read.ok && read.value ? new TextDecoder().decode(read.value) : "";
  return FirstSession.safeParse(jsonOf(text)).data?.base ?? base;
}
