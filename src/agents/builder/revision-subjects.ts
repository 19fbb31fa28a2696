import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { clip } from "../../work/clip.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { SeenHeads } from "./watch-splits.ts";

/** The prefix of the subject of each commit of a revision's builder (seed 000, US-006). */
const PREFIX = "[Revision] ";

type Context = Pick<RoleContext<"builder">, "journal" | "session">;

/** The subject of a commit that wisp makes, with the prefix if the session is a revision. */
export function titled({ parent }: RoleContext["session"], title: string): string {
  return parent === undefined ? title : `${PREFIX}${title}`;
}

/**
 * In a revision, adds the prefix to the commits that a turn made. At this point no record names these commits and none
 * is published, so their ids may change. A note maps the old ids, which the turn's output may contain, to the new ones.
 *
 * @param seen heads of the clone during the turn
 * @returns these heads with their new ids
 */
export async function nameRevisionCommits(
  { journal, session }: Context,
  { clone, base, seen }: { readonly clone: Clone; readonly base: Oid; readonly seen: SeenHeads },
): Promise<SeenHeads> {
  if (session.parent === undefined) return seen;
  const prefixed = await clone.prefixSubjects(base, PREFIX);
  if (!prefixed.ok) {
    // The commits count even without the prefix.
    const text = clip(`the commits keep their subjects: ${prefixed.failure.message}`);
    journal.append({ kind: "note", time: journal.time(), text });
    return seen;
  }
  const renamed = prefixed.value;
  if (renamed.size === 0) return seen;
  const pairs = [...renamed].map(
    ([before, now]) => `${before.slice(0, 10)} is ${now.slice(0, 10)}`,
  );
  const text = clip(`commits got "${PREFIX.trim()}" before their subjects: ${pairs.join(", ")}`);
  journal.append({ kind: "note", time: journal.time(), text });
  return new Map([...seen].map(([name, head]) => [name, renamed.get(head) ?? head] as const));
}
