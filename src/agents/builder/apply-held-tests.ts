import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";

/** Tests that show a bug, applied to the work tree that it is fixed in. */
export interface HeldTests {
  /** The commit in the clone that adds them to the fix's base; never published by itself. */
  readonly commit: Oid;
  readonly paths: readonly string[];
}

/**
 * Applies the tests that the tester held back, because they are red until a bug is fixed, to the base of its fix. They
 * are published with the fix, as one commit.
 *
 * @returns undefined if there are none, or a person has deleted the reference that keeps them
 */
export async function applyHeldTests(
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
  // There is nothing to commit if the branch already has them.
  return commit === undefined ? undefined : { commit, paths: [...paths] };
}

/** The text about held tests in the prompt of a fix; "" if there are none. */
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
