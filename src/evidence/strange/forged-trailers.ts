import type { Oid } from "../../base/oid.ts";
import type { PatchedCommit } from "../../base/ports/patches.ts";

/** A word of somebody that commits carry, although nobody gave it while they were made. */
export interface ForgedTrailer {
  /** `Reviewed-by`, as most write it. */
  readonly trailer: string;
  /** In whose name. */
  readonly who: string;
  readonly commits: readonly Oid[];
}

const VOUCHES = ["Reviewed-by", "Acked-by", "Tested-by", "Approved-by", "Signed-off-by"] as const;
const TRAILER = new RegExp(`^[ \\t]*(${VOUCHES.join("|")})[ \\t]*:[ \\t]*(.*)$`, "gimu");

/**
 * The lines of commit messages in which somebody vouches for the work. Only commits in the session's name count, as
 * agents make them; others are named by their author. The session's own sign-off is none, because git writes it.
 */
export function forgedTrailers(
  commits: readonly PatchedCommit[],
  identity: { readonly email: string },
): readonly ForgedTrailer[] {
  const own = identity.email.trim().toLowerCase();
  const found = new Map<string, ForgedTrailer>();
  const said = commits
    .filter(({ email }) => email.trim().toLowerCase() === own)
    .flatMap(({ sha, message }) => vouchesIn(message).map((one) => ({ ...one, sha })))
    .filter(({ trailer, who }) => trailer !== "Signed-off-by" || addressIn(who) !== own);
  for (const { trailer, who, sha } of said) {
    const key = `${trailer} ${who.toLowerCase()}`;
    const shas = found.get(key)?.commits ?? [];
    found.set(key, { trailer, who, commits: shas.includes(sha) ? shas : [...shas, sha] });
  }
  return [...found.values()];
}

function vouchesIn(message: string): readonly Omit<ForgedTrailer, "commits">[] {
  return [...message.matchAll(TRAILER)].map(([, word = "", rest = ""]) => {
    const trailer = VOUCHES.find((one) => one.toLowerCase() === word.toLowerCase()) ?? word;
    return { trailer, who: rest.trim() };
  });
}

function addressIn(who: string): string | undefined {
  return /<([^<>]*)>\s*$/u.exec(who)?.[1]?.trim().toLowerCase();
}
