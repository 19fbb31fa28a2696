import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { clip } from "../work/clip.ts";
import type { RoleContext } from "../work/role-context.ts";
import type { SeenHeads } from "./watch-splits.ts";

/** What the subject of each commit of a revision's builder begins with (seed 000, US-006). */
const PREFIX = "[Revision] ";

type Context = Pick<RoleContext<"builder">, "journal" | "session">;

/** The subject of a commit that wisp makes. */
export function titled({ parent }: RoleContext["session"], title: string): string {
  return parent === undefined ? title : `${PREFIX}${title}`;
}

/**
 * Of a revision: its own commits of a turn get the prefix, whatever the engine wrote. That is before anything names
 * them: no record does, and nothing of them is published. What a turn said of them by an id is explained by a note.
 *
 * @param seen heads of the clone during the turn, which are told anew
 */
export async function nameRevisionCommits(
  { journal, session }: Context,
  { clone, base, seen }: { readonly clone: Clone; readonly base: Oid; readonly seen: SeenHeads },
): Promise<SeenHeads> {
  if (session.parent === undefined) return seen;
  const named = await clone.prefixSubjects(base, PREFIX);
  if (!named.ok) {
    // What it did counts, whatever it is called.
    const text = clip(`the commits keep their subjects: ${named.failure.message}`);
    journal.append({ kind: "note", time: journal.time(), text });
    return seen;
  }
  const renamed = named.value;
  if (renamed.size === 0) return seen;
  const pairs = [...renamed].map(
    ([before, now]) => `${before.slice(0, 10)} is ${now.slice(0, 10)}`,
  );
  const text = clip(`commits got "${PREFIX.trim()}" before their subjects: ${pairs.join(", ")}`);
  journal.append({ kind: "note", time: journal.time(), text });
  return new Map([...seen].map(([name, head]) => [name, renamed.get(head) ?? head] as const));
}
