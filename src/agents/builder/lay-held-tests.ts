import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";

/** Tests that show a bug, laid over the work tree in which it is to be fixed. */
export interface HeldTests {
  /** The clone's own commit of them, on what the fix begins with; never published by itself. */
  readonly commit: Oid;
  readonly paths: readonly string[];
}

/**
 * Lays tests that the tester kept back, since they are red until a bug is fixed, over what its fix begins with. The
 * fix is one commit with them.
 *
 * @returns undefined when there are none, or a person has deleted the reference that keeps them
 */
export async function layHeldTests(
  clone: Clone,
  findings: readonly Pick<Finding, "id" | "tests">[],
): Promise<HeldTests | undefined> {
  const paths = new Set<string>();
  for (const ref of new Set(findings.flatMap(({ tests }) => tests ?? []))) {
    const saved = need(await clone.saved(ref));
    if (saved === undefined) continue;
    need(await clone.overlayFiles(saved.commit, saved.paths));
    for (const path of saved.paths) paths.add(path);
  }
  if (paths.size === 0) return undefined;
  const ids = findings.map(({ id }) => id).join(", ");
  const commit = need(await clone.commitAll(`test: show ${ids}`));
  // They may have come to the branch by another way.
  return commit === undefined ? undefined : { commit, paths: [...paths] };
}

/** What the prompt of the fix says of them; "" when there are none. */
export function heldWords(held: HeldTests | undefined): string {
  if (held === undefined) return "";
  const named = held.paths.slice(0, PATHS_NAMED_MAX).map((path) => `\`${path}\``);
  const more = held.paths.length - named.length;
  const rest = more === 0 ? "" : ` and ${String(more)} more`;
  return (
    `The tests that show it are in the work tree already, as the last commit: ${named.join(", ")}${rest}. ` +
    "They fail until it is fixed, and become part of the fix."
  );
}

const PATHS_NAMED_MAX = 20;
